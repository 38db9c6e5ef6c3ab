package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Server-sent events of a node, one after the other. Close it. */
final class NodeEvents implements AutoCloseable {
    private static final String NAME = "event: ";
    private static final String DATA = "data: ";
    private static final String RETRY = "retry: ";

    private final String mount;
    private final StreamLines lines;
    private volatile boolean isOver;

    /** One event. */
    record Event(String name, JsonObject data) {}

    NodeEvents(String mount, StreamLines lines) {
        this.mount = mount;
        this.lines = lines;
    }

    /**
     * Waits for the next event.
     *
     * @throws CommandFailure when the stream has ended, or is over by {@link #endAfter}
     */
    Event next() {
        String name = "message";
        while (true) {
            String line = lines.next();
            if (line == null) {
                throw ended();
            }
            if (line.startsWith(NAME)) {
                name = line.substring(NAME.length());
            } else if (line.startsWith(DATA)) {
                return new Event(name, new JsonObject(line.substring(DATA.length())));
            }
        }
    }

    /**
     * Waits for the end of the next event, or of the next comment, which a node sends to keep the connection. The
     * overview has one of both each second. The retry time, with which a stream begins, is neither.
     *
     * @throws CommandFailure when the stream has ended
     */
    void beat() {
        boolean begun = false;
        while (true) {
            String line = lines.next();
            if (line == null) {
                throw ended();
            }
            if (line.isEmpty() && begun) {
                return;
            }
            begun |= !line.isEmpty() && !line.startsWith(RETRY);
        }
    }

    /**
     * Closes the stream after a time, also while a command waits for its next event: that fails with
     * {@link ExitCode#UNFINISHED} then.
     *
     * @param seconds from now
     */
    void endAfter(int seconds) {
        CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS, Runnable::run)
                .execute(() -> {
                    isOver = true;
                    close();
                });
    }

    private CommandFailure ended() {
        if (isOver) {
            return new CommandFailure(ExitCode.UNFINISHED, "the time is over");
        }
        return new CommandFailure(
                ExitCode.UNREACHABLE, "the stream of " + mount + " has ended: its node leaves, or is gone");
    }

    @Override
    public void close() {
        lines.close();
    }
}
