package io.shardbus.testkit;

import static io.shardbus.testkit.StoreProbe.check;
import static io.shardbus.testkit.StoreProbe.refusal;
import static io.shardbus.testkit.StoreProbe.same;
import static io.shardbus.testkit.StoreProbe.state;

import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.testkit.EventStoreContract.Checks;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Durable states. */
final class StateChecks {
    private StateChecks() {}

    static void addTo(Checks checks) {
        checks.add("a state is read as it was stored", probe -> {
            StoreHome home = probe.home(probe.states(), 3, 1).opened();
            StateRow whole = new StateRow("a", 1, 1, 5, 6, Buffer.buffer("state"), Buffer.buffer("meta"));
            check(home.write(0, whole), "not stored");
            same(Map.of("a", whole), home.call(way -> way.loadStates(home.type, List.of("a", "b"))), "states");
        });
        checks.add("a state takes the place of the one before", probe -> {
            StoreHome home = probe.home(probe.states(), 3, 1).opened();
            check(home.write(0, state("a", 1, 1), state("b", 1, 2)), "not stored");
            check(home.write(2, state("a", 2, 3)), "not stored");
            same(
                    Map.of("a", state("a", 2, 3), "b", state("b", 1, 2)),
                    home.call(way -> way.loadStates(home.type, List.of("a", "b"))),
                    "states");
            same(3L, home.opened().end(), "end");
        });
        checks.add("a state of another revision is refused", probe -> {
            StoreHome home = probe.home(probe.states(), 3, 1).opened();
            check(home.write(0, state("a", 1, 1)), "not stored");
            same(Kind.ROW_REFUSED, refusal(home.beginWrite(1, state("b", 1, 2), state("a", 3, 3))), "gap");
            same(Kind.ROW_REFUSED, refusal(home.beginWrite(1, state("a", 1, 2))), "again");
            same(Map.of(), home.call(way -> way.loadStates(home.type, List.of("b"))), "states of the refused call");
            check(home.write(1, state("a", 2, 2)), "the refused calls changed something");
        });
        checks.add("a deleted state keeps its revision", probe -> {
            StoreHome home = probe.home(probe.states(), 3, 1).opened();
            StateRow deleted = new StateRow("a", 2, 2, 1, 1, null, null);
            check(home.write(0, state("a", 1, 1)) && home.write(1, deleted), "not stored");
            same(Map.of("a", deleted), home.call(way -> way.loadStates(home.type, List.of("a"))), "states");
        });
        checks.add("a state of the home before is refused", probe -> {
            StoredType type = probe.states();
            StoreHome before = probe.home(type, 3, 1).opened();
            StoreHome home = probe.home(type, 3, 2).opened();
            check(!before.write(0, state("a", 1, 1)), "stored");
            check(home.write(0, state("a", 1, 1)), "not stored");
        });
        checks.add("a write without states says whether the log has this home", StateChecks::confirmation);
        checks.add("an answer ends behind the state that fills it", StateChecks::fullAnswer);
        checks.add("a state at another end is refused", probe -> {
            StoreHome home = probe.home(probe.states(), 3, 1).opened();
            check(!home.write(1, state("a", 1, 2)), "stored");
        });
        checks.add("the log of states has the latest of each", probe -> {
            StoreHome home = probe.home(probe.states(), 3, 1).opened();
            check(home.write(0, state("a", 1, 1), state("b", 1, 2)) && home.write(2, state("a", 2, 3)), "not stored");
            var rows = probe.await(() -> probe.reader().read(List.of(new From(home.log(), 0)), 10))
                    .getOrDefault(home.log(), List.of());
            same(List.of(2L, 3L), rows.stream().map(row -> row.position()).toList(), "positions");
            same(List.of("b", "a"), rows.stream().map(row -> row.id()).toList(), "ids");
        });
    }

    private static void fullAnswer(StoreProbe probe) {
        StoreHome home = probe.home(probe.states(), 3, 1).opened();
        Buffer half = Buffer.buffer(new byte[ReadBytes.LIMIT / 2]);
        List<String> ids = List.of("c", "none", "a", "b");
        for (long position = 1; position <= 3; position++) {
            String id = List.of("a", "b", "c").get((int) position - 1);
            check(home.write(position - 1, new StateRow(id, 1, position, 1, 1, half, null)), "not stored");
        }
        same(Set.of("a", "c"), home.call(way -> way.loadStates(home.type, ids)).keySet(), "states");
        same(
                Set.of("b"),
                home.call(way -> way.loadStates(home.type, List.of("b"))).keySet(),
                "states left out");
    }

    private static void confirmation(StoreProbe probe) {
        StoredType type = probe.states();
        StoreHome before = probe.home(type, 3, 1).opened();
        check(before.write(0), "the home of an empty log was refused");
        check(before.write(0, state("a", 1, 1)) && before.write(1), "the home was refused");
        StoreHome home = probe.home(type, 3, 2).opened();
        check(!before.write(1), "the home before was taken for the home");
        check(home.write(1) && home.write(1, state("a", 2, 2)), "the home was refused");
    }
}
