package io.shardbus.integration;

import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Asks entities where they are, every 20 ms each, from one node, and writes down how long each was silent, what failed,
 * and whether an older instance ever answered after a newer one. Runs on one context of the node's Vertx.
 */
public final class Traffic {
    private static final long EVERY_MS = 20;
    private static final int MOST_UNANSWERED = 400;

    private final List<Line> lines = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Context context;
    private final long timer;

    /** What is known of one entity. */
    private static final class Line {
        private final EntityRef<CounterMessage> entity;
        private int unanswered;
        private long asked;
        /** The last one of what was asked that has an answer. */
        private long answered;

        private long lastAnswer;
        private long longest;
        private long answers;
        private Place first;
        private Place newest;

        Line(EntityRef<CounterMessage> entity) {
            this.entity = entity;
        }
    }

    /**
     * One entity's story.
     *
     * @param silence the longest time without an answer, in milliseconds
     * @param first where the first answer came from
     * @param last where the last answer came from
     */
    public record Story(String id, long silence, long answers, Place first, Place last) {
        /** Whether another instance answers now than at the beginning. */
        public boolean moved() {
            return !first.incarnation().equals(last.incarnation());
        }
    }

    /** What was seen, and what should not have been: failed asks and answers out of order. */
    public record Report(List<Story> stories, List<String> faults) {
        public Report only(Predicate<Story> which) {
            return new Report(stories.stream().filter(which).toList(), faults);
        }

        /** The silence that this share of the entities did not exceed, in milliseconds. */
        public long silence(double share) {
            List<Long> sorted = stories.stream().map(Story::silence).sorted().toList();
            return sorted.isEmpty() ? 0 : sorted.get((int) Math.round((sorted.size() - 1) * share));
        }

        @Override
        public String toString() {
            return stories.size() + " entities, longest silence in ms: median " + silence(0.5) + ", p90 " + silence(0.9)
                    + ", max " + silence(1.0) + "; " + faults.size() + " faults";
        }
    }

    private Traffic(TestCluster.Node from, EntityType<CounterMessage> type, List<String> ids) {
        ids.forEach(id -> lines.add(new Line(from.sharding().entityRef(type, id))));
        context = from.vertx().getOrCreateContext();
        timer = from.vertx().setPeriodic(EVERY_MS, fired -> context.runOnContext(go -> askAll()));
    }

    /** Begins, and waits until each entity has answered once. */
    public static Traffic start(TestCluster.Node from, EntityType<CounterMessage> type, List<String> ids) {
        Traffic traffic = new Traffic(from, type, ids);
        TestCluster.until(
                "every entity has answered",
                () -> TestCluster.await(
                        traffic.onContext(() -> traffic.lines.stream().allMatch(line -> line.first != null))));
        TestCluster.await(traffic.onContext(() -> {
            traffic.lines.forEach(line -> {
                line.first = line.newest;
                line.longest = 0;
            });
            return null;
        }));
        return traffic;
    }

    /** Ids that end in 0 to 99. */
    public static List<String> hundred(String prefix) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(prefix + i);
        }
        return ids;
    }

    private <T> Future<T> onContext(Supplier<T> task) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(go -> promise.complete(task.get()));
        return promise.future();
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void askAll() {
        lines.forEach(this::ask);
    }

    private void ask(Line line) {
        if (line.unanswered >= MOST_UNANSWERED) {
            return;
        }
        line.unanswered++;
        long number = ++line.asked;
        Place known = line.newest;
        line.entity.ask(new Where()).onComplete(place -> answered(line, number, known, place), failure -> {
            line.unanswered--;
            faults.add(line.entity.id() + ": " + code(failure) + " " + failure.getMessage());
        });
    }

    private static String code(Throwable failure) {
        return failure instanceof ShardingException sharding
                ? sharding.code().name()
                : failure.getClass().getName();
    }

    private void answered(Line line, long number, Place known, Place place) {
        long now = now();
        line.unanswered--;
        line.answered = Math.max(line.answered, number);
        line.answers++;
        if (line.first == null) {
            line.first = place;
        } else {
            line.longest = Math.max(line.longest, now - line.lastAnswer);
        }
        line.lastAnswer = now;
        if (known != null && isOlder(place, known)) {
            faults.add(line.entity.id() + ": " + place + " answered what was asked after an answer of " + known);
        }
        if (line.newest == null || isOlder(line.newest, place)) {
            line.newest = place;
        }
    }

    private static boolean isOlder(Place one, Place other) {
        return one.term() != other.term() ? one.term() < other.term() : one.sequence() < other.sequence();
    }

    /** What was seen so far; a silence that goes on counts. */
    public Report report() {
        return TestCluster.await(onContext(() -> {
            long now = now();
            List<Story> stories = lines.stream()
                    .map(line -> new Story(
                            line.entity.id(),
                            Math.max(line.longest, now - line.lastAnswer),
                            line.answers,
                            line.first,
                            line.newest))
                    .toList();
            return new Report(stories, List.copyOf(faults));
        }));
    }

    /**
     * Waits until each entity has answered what is asked from now on: an answer that is on its way may be of a former
     * instance.
     */
    public Traffic untilAllAnswer() {
        List<Long> before = TestCluster.await(
                onContext(() -> lines.stream().map(line -> line.asked).toList()));
        TestCluster.until(
                "every entity answers again", () -> TestCluster.await(onContext(() -> allHaveAnsweredSince(before))));
        return this;
    }

    private boolean allHaveAnsweredSince(List<Long> asked) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).answered <= asked.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Ends, and gives the report. */
    public Report stop() {
        untilAllAnswer();
        Report report = report();
        TestCluster.await(onContext(() -> {
            lines.forEach(line -> line.unanswered = MOST_UNANSWERED);
            return null;
        }));
        context.owner().cancelTimer(timer);
        return report;
    }
}
