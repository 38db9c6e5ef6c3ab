package io.shardbus.core.time;

/**
 * Notices that elapsed time was taken from the wall clock alone, and more of it than drift: what this node waits for by
 * time may not have passed elsewhere. Short gains are added up over a window, because many of them shorten a wait as
 * one long gain does.
 */
public final class SuspensionWatch {
    private final long window;
    private final long tolerated;
    private long windowBegan;
    private long doubtfulBefore;

    /**
     * @param window how long short gains are added up, in milliseconds: a lease time
     * @param tolerated the sum of gains in one window that is taken for drift; half of what a wait can bear, as a wait
     *     may lie in two
     */
    public SuspensionWatch(long window, long tolerated, ElapsedTime time, long now) {
        this.window = window;
        this.tolerated = tolerated;
        this.windowBegan = now;
        this.doubtfulBefore = time.doubtful();
    }

    /**
     * The doubtful milliseconds since the last answer or the window's beginning, if they are more than drift; else 0.
     */
    public long doubtfulGain(ElapsedTime time, long now) {
        long gained = time.doubtful() - doubtfulBefore;
        boolean tooMuch = gained > tolerated;
        if (tooMuch || now - windowBegan >= window) {
            windowBegan = now;
            doubtfulBefore = time.doubtful();
        }
        return tooMuch ? gained : 0;
    }
}
