package io.shardbus.cli;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The lines of a response that goes on, taken one at a time; at most one waits. */
final class StreamLines implements Flow.Subscriber<String> {
    /** The resource sends something each second. */
    private static final long LONGEST_SILENCE_S = 15;

    private final BlockingQueue<Line> waiting = new ArrayBlockingQueue<>(4);
    private volatile Flow.@Nullable Subscription subscription;
    private boolean ended;

    /** One line, or the end. */
    private record Line(@Nullable String text) {}

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(1);
    }

    @Override
    public void onNext(String line) {
        waiting.add(new Line(line));
    }

    @Override
    public void onError(Throwable failure) {
        waiting.add(new Line(null));
    }

    @Override
    public void onComplete() {
        waiting.add(new Line(null));
    }

    /** @return null when the stream has ended, or is silent for too long */
    @Nullable
    String next() {
        if (ended) {
            return null;
        }
        String text = poll();
        if (text == null) {
            ended = true;
            return null;
        }
        Flow.Subscription begun = subscription;
        if (begun != null) {
            begun.request(1);
        }
        return text;
    }

    private @Nullable String poll() {
        try {
            Line line = waiting.poll(LONGEST_SILENCE_S, TimeUnit.SECONDS);
            return line == null ? null : line.text();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** All that is left of a response that ends. */
    String rest() {
        var all = new StringBuilder();
        for (String line = next(); line != null; line = next()) {
            all.append(line).append('\n');
        }
        return all.toString();
    }

    /** From any thread: a reader that waits for a line gets the end. */
    void close() {
        Flow.Subscription begun = subscription;
        if (begun != null) {
            begun.cancel();
        }
        waiting.offer(new Line(null));
    }
}
