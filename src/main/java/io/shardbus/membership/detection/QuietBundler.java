package io.shardbus.membership.detection;

import java.util.concurrent.TimeUnit;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.protocols.TransferQueueBundler;

/**
 * The transport's usual bundler, except that its thread ends after the last queued message. The thread of the stock
 * bundler is interrupted, and logs a warning at each stop.
 */
public final class QuietBundler extends TransferQueueBundler {
    private static final long END_MILLIS = 500;

    private final Message end = new EmptyMessage();

    public QuietBundler() {
        Overrides.prefer(QuietBundler.class);
    }

    @Override
    public synchronized void stop() {
        var thread = bundler_thread;
        running = false;
        if (thread != null && queue.offer(end)) {
            join(thread);
        }
        super.stop();
    }

    private static void join(Thread thread) {
        try {
            TimeUnit.MILLISECONDS.timedJoin(thread, END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void addAndSendIfSizeExceeded(Message message) {
        if (message != end) {
            super.addAndSendIfSizeExceeded(message);
        }
    }
}
