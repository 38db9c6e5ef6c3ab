package io.shardbus.testkit;

import static io.shardbus.testkit.StoreProbe.check;
import static io.shardbus.testkit.StoreProbe.event;
import static io.shardbus.testkit.StoreProbe.refusal;
import static io.shardbus.testkit.StoreProbe.result;
import static io.shardbus.testkit.StoreProbe.same;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.persistence.spi.TypeSpec.Model;
import io.shardbus.testkit.EventStoreContract.Checks;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Openings, tokens, ends and layouts. */
final class FenceChecks {
    private FenceChecks() {}

    static void addTo(Checks checks) {
        checks.add("two instances say the same identity", probe -> {
            PersistenceStore other = probe.open();
            String one = probe.await(() -> probe.store().start()).id();
            same(one, probe.await(other::start).id(), "identity");
        });
        checks.add("the highest term is that of the newest opening", FenceChecks::highestTerm);
        checks.add("a new log is empty", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            same(0L, home.end(), "end");
            same(1L, home.openings(), "openings");
        });
        checks.add("an opening says the end of the log", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            check(home.append(0, event("a", 1, 1), event("a", 2, 2)), "not stored");
            same(2L, home.opened().end(), "end");
            same(2L, home.openings(), "openings");
        });
        checks.add("an older token opens nothing", probe -> {
            StoredType type = probe.events();
            StoreHome home = probe.home(type, 3, 2).opened();
            check(!probe.home(type, 3, 1).open(), "opened with an older token");
            check(home.append(0, event("a", 1, 1)), "the refused opening changed something");
        });
        checks.add("an older token opens nothing from another process", probe -> {
            StoredType type = probe.events();
            probe.home(type, 3, 2).opened();
            check(!probe.home(probe.open(), type, 3, 1).open(), "opened with an older token");
        });
        checks.add("the home before stores nothing after an opening", probe -> {
            StoredType type = probe.events();
            StoreHome before = probe.home(type, 3, 1).opened();
            StoreHome home = probe.home(probe.open(), type, 3, 2).opened();
            check(!before.append(0, event("a", 1, 1)), "the home before stored an event");
            check(home.append(0, event("a", 1, 1)), "the home did not");
        });
        checks.add("an earlier opening with the same token stores nothing", probe -> {
            StoredType type = probe.events();
            StoreHome before = probe.home(type, 3, 1).opened();
            probe.home(type, 3, 1).opened();
            check(!before.append(0, event("a", 1, 1)), "stored under an earlier opening");
        });
        addAppendsTo(checks);
    }

    private static void addAppendsTo(Checks checks) {
        checks.add("tokens are compared by term, then incarnation, then sequence", FenceChecks::order);
        checks.add("an append at another end is refused", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            check(!home.append(1, event("a", 1, 2)), "stored behind a gap");
            check(home.append(0, event("a", 1, 1)), "not stored");
            check(!home.append(0, event("b", 1, 1)), "stored at a position that is taken");
        });
        checks.add("appends under way follow each other", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            CompletableFuture<Set<Integer>> first = home.beginAppend(0, event("a", 1, 1));
            CompletableFuture<Set<Integer>> second = home.beginAppend(1, event("a", 2, 2));
            check(home.stored(result(first)) && home.stored(result(second)), "not stored");
        });
        checks.add("appends behind a refused one are refused", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            CompletableFuture<Set<Integer>> first = home.beginAppend(5, event("a", 1, 6));
            CompletableFuture<Set<Integer>> second = home.beginAppend(6, event("a", 2, 7));
            check(!home.stored(result(first)) && !home.stored(result(second)), "stored");
        });
        checks.add("an append without events says whether the log has this home", FenceChecks::confirmation);
        checks.add("of a batch the refused log alone is not stored", FenceChecks::mixedBatch);
        checks.add("logs are independent", probe -> {
            StoredType type = probe.events();
            StoreHome one = probe.home(type, 3, 1).opened();
            StoreHome other = probe.home(type, 4, 1).opened();
            check(one.log() != other.log(), "two shards have one log");
            check(one.append(0, event("a", 1, 1)) && other.append(0, event("b", 1, 1)), "not stored");
        });
        checks.add("a type keeps its number", probe -> {
            TypeSpec spec = probe.newSpec(Model.EVENTS);
            PersistenceStore other = probe.open();
            same(probe.register(spec), probe.await(() -> other.register(spec)), "type");
        });
        checks.add("a type of the other model is refused", probe -> {
            TypeSpec spec = probe.newSpec(Model.EVENTS);
            probe.register(spec);
            TypeSpec other = new TypeSpec(spec.name(), Model.STATE, spec.shards(), spec.addressing());
            same(
                    Kind.INCOMPATIBLE,
                    refusal(probe.begin(
                            probe.vertx.getOrCreateContext(),
                            () -> probe.store().register(other))),
                    "kind");
        });
        checks.add("a new layout closes the logs of the older one", FenceChecks::layouts);
        checks.add("writes go on after all connections broke", FenceChecks::brokenConnections);
    }

    private static void confirmation(StoreProbe probe) {
        StoredType type = probe.events();
        StoreHome before = probe.home(type, 3, 1).opened();
        check(before.append(0), "the home of an empty log was refused");
        check(before.append(0, event("a", 1, 1)) && before.append(1), "the home was refused");
        check(!before.append(0), "another end was taken for the end of the log");
        StoreHome home = probe.home(probe.open(), type, 3, 2).opened();
        check(!before.append(1), "the home before was taken for the home");
        check(home.append(1) && home.append(1, event("a", 2, 2)), "the home was refused");
    }

    private static void highestTerm(StoreProbe probe) {
        long highest = probe.await(() -> probe.store().start()).highestTerm();
        probe.home(probe.events(), 3, highest + 1).opened();
        PersistenceStore other = probe.open();
        same(highest + 1, probe.await(other::start).highestTerm(), "highest term");
        int log = probe.home(probe.events(), 3, 1).opened().log();
        FencingToken newer = new FencingToken(highest + 2, 1, 1);
        probe.await(() -> probe.offsets().claim("term-of-" + log, List.of(log), newer));
        same(highest + 2, probe.await(other::start).highestTerm(), "highest term, of an offset");
    }

    private static void order(StoreProbe probe) {
        StoredType type = probe.events();
        var high = new FencingToken(5, 5, 5);
        check(new StoreHome(probe, probe.store(), type, 3, high).open(), "not opened");
        for (var lower : List.of(new FencingToken(4, 9, 9), new FencingToken(5, 4, 9), new FencingToken(5, 5, 4))) {
            check(!new StoreHome(probe, probe.store(), type, 3, lower).open(), lower + " opened");
        }
        for (var higher : List.of(new FencingToken(5, 5, 6), new FencingToken(5, 6, 0), new FencingToken(6, 0, 0))) {
            check(new StoreHome(probe, probe.store(), type, 3, higher).open(), higher + " did not open");
        }
    }

    private static void mixedBatch(StoreProbe probe) {
        StoredType type = probe.events();
        StoreHome lost = probe.home(type, 3, 1).opened();
        StoreHome kept = probe.home(type, 4, 1).opened();
        probe.home(type, 3, 2).opened();
        CompletableFuture<Set<Integer>> both = kept.beginAppends(List.of(
                new LogAppend<>(lost.fence(), 0, List.of(event("a", 1, 1))),
                new LogAppend<>(kept.fence(), 0, List.of(event("b", 1, 1)))));
        same(Set.of(kept.log()), result(both), "stored logs");
        same(List.of(), kept.events("a"), "events of the refused log");
        same(List.of(event("b", 1, 1)), kept.events("b"), "events");
    }

    private static void layouts(StoreProbe probe) {
        TypeSpec spec = probe.newSpec(Model.EVENTS);
        StoredType first = probe.register(spec);
        StoreHome old = probe.home(first, 3, 1).opened();
        check(old.append(0, event("a", 1, 1)), "not stored");
        StoredType second = probe.register(new TypeSpec(spec.name(), Model.EVENTS, spec.shards() * 2, "ids"));
        same(first.number(), second.number(), "number");
        same(first.layout() + 1, second.layout(), "layout");
        check(old.append(1, event("a", 2, 2)), "the layout is closed before another one is opened");

        StoreHome home = probe.home(second, 3, 1).opened();

        check(!old.append(2, event("a", 3, 3)), "the old layout stored an event");
        same(List.of(new OpenedLog.Sealed()), result(probe.home(first, 3, 9).beginOpen()), "the old layout");
        same(List.of(new OpenedLog.Sealed()), result(probe.home(first, 5, 9).beginOpen()), "a new log of that");
        same(2, home.events("a").size(), "events of the entity");
        check(home.append(0, event("a", 3, 1)), "the new layout did not store");
        var logs = probe.await(() -> probe.reader().logs(second.number()));
        same(List.of(true, false), logs.stream().map(log -> log.sealed()).toList(), "closed logs");
        same(List.of(2L, 1L), logs.stream().map(log -> log.end()).toList(), "ends");
    }

    private static void brokenConnections(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, 1)), "not stored");
        if (!probe.breakConnections()) {
            return;
        }
        long end = 1;
        boolean stored = false;
        for (int tries = 0; !stored && tries < 10; tries++) {
            try {
                end = home.opened().end();
                stored = home.append(end, event("a", end + 1, end + 1));
            } catch (AssertionError e) {
                same(Kind.UNREACHABLE, StoreProbe.kind(e), "kind");
            }
        }
        check(stored, "no event was stored after ten attempts");
        same(end + 1, home.opened().end(), "end");
    }
}
