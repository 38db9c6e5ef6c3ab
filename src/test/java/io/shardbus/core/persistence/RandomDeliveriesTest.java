package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.persistence.DeliveryWindow.DeliveryStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two producers and an entity. Messages are lost, doubled and overtaken; instances of the entity die with what they had
 * not stored; producers die and begin again after what they have noted as settled, while the one before goes on. All in
 * a random order from a seed.
 */
@DisplayName("Numbered deliveries")
class RandomDeliveriesTest {
    private static final int SEEDS = 2000;
    private static final int DELIVERIES = 60;

    /** A message, and whether somebody waits for its answer; one that comes late is executed all the same. */
    private record Message(Worker sender, DeliveryLine.Attempt attempt, boolean isAwaited) {}

    /** The entity: what it has stored, and what its live instance knows. */
    private static final class Target {
        private final Map<String, List<Long>> effects = new HashMap<>();
        private DeliveryWindow stored = new DeliveryWindow();
        private DeliveryWindow live = new DeliveryWindow();

        void dies() {
            live = copy(stored);
        }

        /** True: confirmed; false: refused by the entity; null: a gap. */
        Boolean receive(String producer, DeliveryLine.Attempt attempt) {
            long number = attempt.number();
            DeliveryStatus status = live.judge(producer, number, attempt.previous());
            if (status == DeliveryStatus.TAKEN) {
                return true;
            }
            if (status == DeliveryStatus.GAP) {
                return null;
            }
            if (isRefused(number)) {
                return false;
            }
            live.take(producer, number);
            if (hasEffect(number)) {
                stored.take(producer, number);
                effects.computeIfAbsent(producer, first -> new ArrayList<>()).add(number);
            }
            return true;
        }
    }

    private static DeliveryWindow copy(DeliveryWindow window) {
        DeliveryWindow copy = new DeliveryWindow();
        window.taken().forEach(copy::take);
        return copy;
    }

    private static boolean isRefused(long number) {
        return number % 11 == 0;
    }

    private static boolean hasEffect(long number) {
        return number % 7 != 0 && !isRefused(number);
    }

    /** What outlives a worker: a sequence, how far of it is settled, and what was refused. */
    private static final class Source {
        private final String name;
        private final List<Long> numbers = new ArrayList<>();
        private final Set<Long> parked = new HashSet<>();
        private int settled;
        private Worker newest;

        Source(String name, Random random) {
            this.name = name;
            long number = 0;
            for (int i = 0; i < DELIVERIES; i++) {
                number += 1 + random.nextInt(4);
                numbers.add(number);
            }
            newest = new Worker(this);
        }
    }

    private static final class Worker {
        private final Source source;
        private final DeliveryLine line = new DeliveryLine();
        private final Set<Long> settled = new HashSet<>();

        Worker(Source source) {
            this.source = source;
            source.numbers.subList(source.settled, source.numbers.size()).forEach(line::offer);
        }

        void settle(long number) {
            line.settled(number);
            settled.add(number);
            while (source.newest == this
                    && source.settled < source.numbers.size()
                    && settled.contains(source.numbers.get(source.settled))) {
                source.settled++;
            }
        }
    }

    private static final class World {
        private final Random random;
        private final Target target = new Target();
        private final List<Source> sources;
        private final List<Worker> workers = new ArrayList<>();
        private final List<Message> messages = new ArrayList<>();
        private long now;

        World(long seed) {
            random = new Random(seed);
            sources = List.of(new Source("a", random), new Source("b", random));
            sources.forEach(source -> workers.add(source.newest));
        }

        void send() {
            for (Worker worker : workers) {
                Optional<DeliveryLine.Attempt> attempt = worker.line.next(now);
                while (attempt.isPresent()) {
                    messages.add(new Message(worker, attempt.get(), true));
                    attempt = worker.line.next(now);
                }
            }
            long awaited = messages.stream()
                    .filter(message -> message.isAwaited() && workers.contains(message.sender()))
                    .count();
            assertTrue(awaited <= (long) workers.size() * DeliveryLine.WINDOW, "windows are bounded");
        }

        /** @param unsteady in percent: what is lost, doubled or late */
        void arrive(int unsteady) {
            Message message = messages.remove(random.nextInt(unsteady == 0 ? 1 : Math.min(5, messages.size())));
            boolean isLost = random.nextInt(100) < unsteady;
            Boolean answer = isLost ? null : target.receive(message.sender().source.name, message.attempt());
            long number = message.attempt().number();
            if (random.nextInt(100) < unsteady) {
                messages.add(new Message(message.sender(), message.attempt(), false));
            }
            if (!message.isAwaited()) {
                return;
            }
            if (answer == null || random.nextInt(100) < unsteady) {
                message.sender().line.failed(number, now);
            } else {
                if (!answer) {
                    message.sender().source.parked.add(number);
                }
                message.sender().settle(number);
            }
        }

        void step() {
            now += random.nextInt(50);
            int event = random.nextInt(100);
            if (event < 2) {
                target.dies();
            } else if (event < 4) {
                Source source = sources.get(random.nextInt(sources.size()));
                source.newest = new Worker(source);
                workers.add(source.newest);
            } else if (event < 6) {
                // the memory of a worker is gone; the newest one of its source is replaced
                workers.removeIf(worker -> worker.source.newest != worker && random.nextBoolean());
            }
            send();
            if (!messages.isEmpty()) {
                arrive(20);
            }
        }

        boolean isDone() {
            return sources.stream().allMatch(source -> source.settled == source.numbers.size());
        }

        /** Without further trouble all is settled, soon. */
        void calmDown() {
            workers.removeIf(worker -> worker.source.newest != worker);
            messages.removeIf(message -> message.isAwaited() && message.sender().source.newest != message.sender());
            for (int i = 0; i < 10_000 && !isDone(); i++) {
                now += 100;
                send();
                if (!messages.isEmpty()) {
                    arrive(0);
                }
            }
        }
    }

    @Test
    @DisplayName("DELIV-05 take effect once each and in order, through loss, copies, late messages and deaths")
    void exactlyOnce() {
        for (long seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed);
            for (int i = 0; i < 400; i++) {
                world.step();
            }
            world.calmDown();
            assertTrue(world.isDone(), "seed " + seed + ": something is never settled");
            for (Source source : world.sources) {
                List<Long> wanted = source.numbers.stream()
                        .filter(RandomDeliveriesTest::hasEffect)
                        .toList();
                assertEquals(wanted, world.target.effects.get(source.name), "seed " + seed);
                assertTrue(source.parked.stream().allMatch(RandomDeliveriesTest::isRefused), "seed " + seed);
            }
        }
    }

    @Test
    @DisplayName(
            "DELIV-03 DELIV-04 are under way 16 at a time, one after a failure, and all again when that is settled")
    void window() {
        DeliveryLine line = new DeliveryLine();
        for (long number = 1; number <= 20; number++) {
            line.offer(number * 10);
        }
        List<DeliveryLine.Attempt> first = all(line, 0);
        assertEquals(DeliveryLine.WINDOW, first.size());
        assertEquals(new DeliveryLine.Attempt(10, 0), first.get(0));
        assertEquals(new DeliveryLine.Attempt(160, 150), first.get(15));
        line.settled(30);
        assertEquals(List.of(new DeliveryLine.Attempt(170, 160)), all(line, 0), "demand is renewed");

        line.failed(20, 0);
        line.failed(40, 0);
        assertEquals(List.of(), all(line, 1000), "one that is under way has to be settled first");
        line.failed(10, 1000);
        assertEquals(Optional.of(1100L), line.wakeAt());
        assertEquals(List.of(), all(line, 1099));
        assertEquals(List.of(new DeliveryLine.Attempt(10, 0)), all(line, 1100));
        line.failed(10, 2000);
        assertEquals(Optional.of(2200L), line.wakeAt(), "pauses grow");
        assertEquals(List.of(new DeliveryLine.Attempt(10, 0)), all(line, 2200));
        line.settled(10);
        assertEquals(
                List.of(new DeliveryLine.Attempt(20, 0), new DeliveryLine.Attempt(40, 20)),
                all(line, 2200).subList(0, 2));
    }

    private static List<DeliveryLine.Attempt> all(DeliveryLine line, long now) {
        List<DeliveryLine.Attempt> attempts = new ArrayList<>();
        for (var next = line.next(now); next.isPresent(); next = line.next(now)) {
            attempts.add(next.get());
        }
        return attempts;
    }

    @Test
    @DisplayName("come from at most 4,096 producers, whose numbers are not forgotten")
    void producers() {
        DeliveryWindow window = new DeliveryWindow();
        for (int i = 0; i < DeliveryWindow.MOST_PRODUCERS; i++) {
            assertEquals(DeliveryStatus.NEXT, window.judge("p" + i, 1, 0));
            window.take("p" + i, 1);
        }
        assertEquals(DeliveryStatus.TOO_MANY, window.judge("one more", 1, 0));
        assertEquals(DeliveryStatus.NEXT, window.judge("p7", 2, 1));
        assertEquals(DeliveryStatus.TAKEN, window.judge("p0", 1, 0));
    }
}
