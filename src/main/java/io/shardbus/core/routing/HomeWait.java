package io.shardbus.core.routing;

import io.shardbus.model.FencingToken;

/**
 * For how long callers on a lane have heard nothing of a shard. This is the rule for what a {@link Silence} is:
 *
 * <ul>
 *   <li>A shard is silent for a lane while one of the lane's messages waits for the shard's home: on the lane, because
 *       no home is known, the shard is in its handoff, or it is not known yet what became of earlier messages; or at a
 *       home that is lost before it takes the message.
 *   <li>The wait at a lost home began when that home last took a message for the shard, or when the first one after
 *       that was sent to it, whichever is later. It ends with the loss, unless other messages wait: those that were
 *       under way have failed then.
 *   <li>Time in which no message waits is not part of a silence. A silence is over, and told, when a home is known to
 *       which messages may leave, and none waits any more; also if none has waited since those that the loss has
 *       failed. Where the lane refuses all messages meanwhile, nothing is told.
 *   <li>A message that waits at a home that lives, however slow, waits for no home. An ask whose message a lost home
 *       had taken has failed, and waits for nothing.
 * </ul>
 *
 * <p>All moments are elapsed milliseconds.
 */
final class HomeWait {
    private long since;
    private long waited;
    private boolean moving;
    private boolean lost;

    private long failedMillis;
    private long failed;

    /** Messages begin to wait on the lane. */
    void begin(long now, long messages, boolean inHandoff) {
        since = now;
        waited = messages;
        moving = inHandoff;
    }

    /** More messages wait. */
    void add(long messages) {
        waited += messages;
    }

    /** What waits on the lane has waited since an earlier moment, at a home that is lost. */
    void backTo(long moment) {
        since = Math.min(since, moment);
    }

    /** The home that the shard had is lost. */
    void homeLost() {
        lost = true;
    }

    /**
     * All messages under way to a lost home have failed.
     *
     * @param messages how many
     * @param moment since when that home has given no sign
     * @param othersWait whether others wait on the lane
     */
    void fail(long messages, long moment, long now, boolean othersWait) {
        lost = true;
        failed += messages;
        if (othersWait) {
            backTo(moment);
        } else {
            failedMillis += now - moment;
        }
    }

    /** Whether messages have failed with the loss of their home, and that is not told yet. */
    boolean isUntold() {
        return failed > 0;
    }

    /** No message waits any more on the lane, where some did if {@code waiting}. */
    Silence end(int shard, FencingToken token, long now, boolean waiting) {
        long here = waiting ? now - since : 0;
        Silence silence = new Silence(
                shard, token, failedMillis + here, failed + (waiting ? waited : 0), waiting && moving, lost);
        forget();
        return silence;
    }

    /** Nothing waited for the home that is known now. */
    void forget() {
        failedMillis = 0;
        failed = 0;
        lost = false;
    }
}
