package io.shardbus.testkit;

import static io.shardbus.testkit.StoreProbe.check;
import static io.shardbus.testkit.StoreProbe.event;
import static io.shardbus.testkit.StoreProbe.same;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.OffsetStore.Move;
import io.shardbus.persistence.spi.OffsetStore.Parked;
import io.shardbus.testkit.EventStoreContract.Checks;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks of the positions of projections. */
final class OffsetChecks {
    private static final FencingToken OLD = new FencingToken(1, 1, 1);
    private static final FencingToken NEW = new FencingToken(1, 1, 2);

    private OffsetChecks() {}

    static void addTo(Checks checks) {
        checks.add("an offset begins at 0 and moves", probe -> {
            int log = newLog(probe);
            String name = "projection-of-" + log;
            same(Map.of(log, 0L), probe.await(() -> probe.offsets().claim(name, List.of(log), OLD)), "claimed");
            check(move(probe, name, log, 0, 7, OLD), "not moved");
            same(Map.of(log, 7L), probe.await(() -> probe.offsets().claim(name, List.of(log), OLD)), "claimed");
            same(Map.of(log, 7L), probe.await(() -> probe.offsets().positions(name)), "positions");
        });
        checks.add("an offset moves from where it is alone", probe -> {
            int log = newLog(probe);
            String name = "projection-of-" + log;
            probe.await(() -> probe.offsets().claim(name, List.of(log), OLD));
            check(!move(probe, name, log, 3, 7, OLD), "moved from elsewhere");
            check(move(probe, name, log, 0, 7, OLD) && !move(probe, name, log, 0, 7, OLD), "moved twice");
        });
        checks.add("the worker before moves no offset", probe -> {
            int log = newLog(probe);
            String name = "projection-of-" + log;
            probe.await(() -> probe.offsets().claim(name, List.of(log), OLD));
            probe.await(() -> probe.offsets().claim(name, List.of(log), NEW));
            check(!move(probe, name, log, 0, 7, OLD), "moved by the worker before");
            same(Map.of(), probe.await(() -> probe.offsets().claim(name, List.of(log), OLD)), "claimed by it");
            check(move(probe, name, log, 0, 7, NEW), "not moved");
        });
        checks.add(
                "offsets that move together move each from where it is, by the worker that has it",
                OffsetChecks::moveTogether);
        checks.add("a parked event has each of its reasons once", OffsetChecks::park);
        checks.add("a reset projection begins anew", probe -> {
            int log = newLog(probe);
            String name = "projection-of-" + log;
            probe.await(() -> probe.offsets().claim(name, List.of(log), OLD));
            check(move(probe, name, log, 0, 7, OLD), "not moved");
            probe.await(() -> probe.offsets().park(name, new Parked(log, 4, "reason")));
            reset(probe, name);
            same(List.of(), probe.await(() -> probe.offsets().parked(name, 100)), "parked");
            same(Map.of(log, 0L), probe.await(() -> probe.offsets().claim(name, List.of(log), OLD)), "claimed");
        });
        checks.add("a paused projection claims nothing until it goes on", OffsetChecks::pause);
        checks.add("a projection is reset only while it is paused", OffsetChecks::resetOnlyPaused);
        checks.add("events that a projection has not read are not deleted", OffsetChecks::keepUnread);
        checks.add("the lowest offset of a log is that of the slowest projection", probe -> {
            int log = newLog(probe);
            same(Long.MAX_VALUE, probe.await(() -> probe.offsets().lowest(log)), "without any");
            for (String name : List.of("one-of-" + log, "other-of-" + log)) {
                probe.await(() -> probe.offsets().claim(name, List.of(log), OLD));
            }
            check(move(probe, "one-of-" + log, log, 0, 7, OLD), "not moved");
            check(move(probe, "other-of-" + log, log, 0, 5, OLD), "not moved");
            same(5L, probe.await(() -> probe.offsets().lowest(log)), "lowest");
        });
    }

    private static void moveTogether(StoreProbe probe) {
        int log = newLog(probe);
        int next = probe.home(probe.events(), 4, 1).opened().log();
        int other = probe.home(probe.events(), 5, 1).opened().log();
        String name = "projection-of-" + log;
        probe.await(() -> probe.offsets().claim(name, List.of(log, next, other), OLD));
        check(move(probe, name, next, 0, 3, OLD), "not moved");
        probe.await(() -> probe.offsets().claim(name, List.of(other), NEW));
        List<Move> moves = List.of(new Move(other, 0, 2), new Move(log, 0, 7), new Move(next, 0, 9));
        same(Set.of(log), probe.await(() -> probe.offsets().moveAll(name, moves, OLD)), "moved");
        same(
                Map.of(log, 7L, next, 3L, other, 0L),
                probe.await(() -> probe.offsets().positions(name)),
                "positions");
    }

    private static void pause(StoreProbe probe) {
        int log = newLog(probe);
        int next = newLog(probe);
        String name = "projection-of-" + log;
        check(!probe.await(() -> probe.offsets().isPaused(name)), "paused before it is known");
        probe.await(() -> probe.offsets().claim(name, List.of(log), OLD));
        for (int i = 0; i < 2; i++) {
            probe.await(() -> probe.offsets().setPaused(name, true));
            check(probe.await(() -> probe.offsets().isPaused(name)), "not paused");
        }
        check(!probe.await(() -> probe.offsets().isPaused("other" + name)), "another is paused");
        same(Map.of(), probe.await(() -> probe.offsets().claim(name, List.of(log, next), NEW)), "claimed while paused");
        check(move(probe, name, log, 0, 7, OLD), "what was under way did not move");
        probe.await(() -> probe.offsets().setPaused(name, false));
        check(!probe.await(() -> probe.offsets().isPaused(name)), "still paused");
        same(
                Map.of(log, 7L, next, 0L),
                probe.await(() -> probe.offsets().claim(name, List.of(log, next), NEW)),
                "claimed after the pause");
    }

    private static void resetOnlyPaused(StoreProbe probe) {
        int log = newLog(probe);
        String name = "projection-of-" + log;
        check(!probe.await(() -> probe.offsets().reset(name)), "an unknown one was reset");
        probe.await(() -> probe.offsets().claim(name, List.of(log), OLD));
        check(move(probe, name, log, 0, 7, OLD), "not moved");
        check(!probe.await(() -> probe.offsets().reset(name)), "reset while it runs");
        same(Map.of(log, 7L), probe.await(() -> probe.offsets().positions(name)), "positions");
        probe.await(() -> probe.offsets().setPaused(name, true));
        check(probe.await(() -> probe.offsets().reset(name)), "not reset");
        check(!move(probe, name, log, 7, 9, NEW), "a batch of before the reset moved the offset");
        check(!move(probe, name, log, 0, 9, NEW), "the first batch of before the reset moved the offset");
        probe.await(() -> probe.offsets().setPaused(name, false));
        check(!probe.await(() -> probe.offsets().reset(name)), "reset after the pause");
        same(Map.of(log, 0L), probe.await(() -> probe.offsets().claim(name, List.of(log), OLD)), "claimed");
    }

    private static void reset(StoreProbe probe, String name) {
        probe.await(() -> probe.offsets().setPaused(name, true));
        check(probe.await(() -> probe.offsets().reset(name)), "not reset");
        probe.await(() -> probe.offsets().setPaused(name, false));
    }

    private static void park(StoreProbe probe) {
        int log = newLog(probe);
        String name = "projection-of-" + log;
        probe.await(() -> probe.offsets().park(name, new Parked(log, 9, "second")));
        probe.await(() -> probe.offsets().park(name, new Parked(log, 4, "first")));
        probe.await(() -> probe.offsets().park(name, new Parked(log, 4, "again")));
        probe.await(() -> probe.offsets().park(name, new Parked(log, 4, "first")));
        same(
                List.of(new Parked(log, 4, "first; again"), new Parked(log, 9, "second")),
                probe.await(() -> probe.offsets().parked(name, 100)),
                "parked");
        same(
                List.of(new Parked(log, 4, "first; again")),
                probe.await(() -> probe.offsets().parked(name, 1)),
                "the first one that was parked");
        same(2L, probe.await(() -> probe.offsets().parkedCount(name)), "how many were parked");
        same(0L, probe.await(() -> probe.offsets().parkedCount("other" + name)), "how many of another");
    }

    /** A projection that reads a log of a type reads them all, those that it has not claimed yet too. */
    private static void keepUnread(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        StoreHome other = home.as(4, 1).opened();
        String name = "projection-of-" + home.log();
        check(home.append(0, event("a", 1, 1), event("a", 2, 2), event("a", 3, 3), event("a", 4, 4)), "not stored");
        check(other.append(0, event("b", 1, 1), event("b", 2, 2)), "not stored");
        probe.await(() -> probe.offsets().claim(name, List.of(home.log()), OLD));
        check(move(probe, name, home.log(), 0, 2, OLD), "not moved");
        check(home.delete("a", 3, true) && other.delete("b", 1, true), "the fence did not hold");
        same(List.of(event("a", 3, 3), event("a", 4, 4)), home.events("a"), "events behind the offset");
        same(2, other.events("b").size(), "events of a log without an offset");
        check(move(probe, name, home.log(), 2, 4, OLD), "not moved");
        check(home.delete("a", 3, true), "the fence did not hold");
        same(List.of(event("a", 4, 4)), home.events("a"), "events when all is read");
        reset(probe, name);
        check(other.delete("b", 1, true), "the fence did not hold");
        same(List.of(event("b", 2, 2)), other.events("b"), "events without a projection");
    }

    private static int newLog(StoreProbe probe) {
        return probe.home(probe.events(), 3, 1).opened().log();
    }

    private static boolean move(StoreProbe probe, String name, int log, long before, long after, FencingToken token) {
        return probe.await(() -> probe.offsets().move(name, log, before, after, token));
    }
}
