package io.shardbus.testkit;

import static io.shardbus.testkit.StoreProbe.check;
import static io.shardbus.testkit.StoreProbe.event;
import static io.shardbus.testkit.StoreProbe.refusal;
import static io.shardbus.testkit.StoreProbe.result;
import static io.shardbus.testkit.StoreProbe.same;

import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.testkit.EventStoreContract.Checks;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Events and snapshots: what is stored is read, in order and in pages. */
final class RowChecks {
    /** Each differs from the others in a way that a store might take for the same. */
    private static final List<String> IDS = List.of(
            "a",
            "A",
            "a ",
            "\u00e4",
            "a\u0308",
            "\u65e5\u672c",
            "\ud83d\ude00",
            "\uffff",
            "%_'\"\\",
            "null",
            "x".repeat(500));

    private static final int LARGE = 4 << 20;

    private RowChecks() {}

    static void addTo(Checks checks) {
        checks.add("an event is read as it was stored", RowChecks::wholeEvent);
        checks.add("a tombstone has no payload", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            EventRow tombstone = event("a", 1, 1, null);
            check(home.append(0, tombstone), "not stored");
            same(List.of(tombstone), home.events("a"), "events");
        });
        checks.add("an empty payload is no tombstone", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            check(home.append(0, event("a", 1, 1, Buffer.buffer())), "not stored");
            same(event("a", 1, 1, Buffer.buffer()), home.events("a").get(0), "event");
        });
        checks.add("an empty tag is a tag", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            EventRow tagged = new EventRow("a", 1, 1, "added", 1, 1, Buffer.buffer("x"), null, Set.of(""));
            check(home.append(0, tagged), "not stored");
            same(List.of(tagged), home.events("a"), "events");
        });
        checks.add("ids are told apart as they are", RowChecks::ids);
        checks.add("a zero character in an id is stored or refused", RowChecks::zeroCharacter);
        checks.add("a payload of 4 MiB is stored", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            Buffer large = Buffer.buffer(new byte[LARGE]).setByte(LARGE - 1, (byte) 7);
            check(home.append(0, event("a", 1, 1, large)), "not stored");
            check(large.equals(home.events("a").get(0).payload()), "another payload was read");
        });
        checks.add("a thousand events are one append", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            EventRow[] rows = LongStream.rangeClosed(1, 1000)
                    .mapToObj(number -> event("a", number, number))
                    .toArray(EventRow[]::new);
            check(home.append(0, rows), "not stored");
            same(List.of(rows), home.events("a"), "events");
        });
        checks.add("a sequence number is taken once", RowChecks::duplicate);
        checks.add("an entity without events is empty", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            same(new LoadedEntity("a", null, List.of(), false), home.load("a", 10), "entity");
        });
        checks.add("entities of two types do not meet", probe -> {
            StoreHome one = probe.home(probe.events(), 3, 1).opened();
            StoreHome other = probe.home(probe.events(), 3, 1).opened();
            check(one.append(0, event("a", 1, 1)), "not stored");
            same(List.of(), other.events("a"), "events of the other type");
        });
        addReadsTo(checks);
    }

    private static void addReadsTo(Checks checks) {
        checks.add("recovery reads in pages", RowChecks::pages);
        checks.add("entities are answered in the order of the question", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            check(home.append(0, event("b", 1, 1), event("a", 1, 2), event("b", 2, 3)), "not stored");
            List<LoadedEntity> loaded = home.call(way -> way.load(home.type, List.of("b", "none", "a"), 10));
            same(
                    List.of("b", "none", "a"),
                    loaded.stream().map(LoadedEntity::id).toList(),
                    "ids");
            same(
                    List.of(2, 0, 1),
                    loaded.stream().map(entity -> entity.events().size()).toList(),
                    "events");
        });
        checks.add("an answer of recovery ends behind the row that fills it", RowChecks::fullAnswer);
        checks.add("a snapshot may fill an answer of recovery", RowChecks::fullSnapshot);
        checks.add("a page of logs ends behind the row that fills it", RowChecks::fullPage);
        checks.add("recovery begins behind the snapshot", RowChecks::snapshot);
        checks.add("an older snapshot does not replace a newer one", probe -> {
            StoreHome home = probe.home(probe.events(), 3, 1).opened();
            check(home.save(snapshot("a", 5)), "not stored");
            check(home.save(snapshot("a", 4)), "the fence holds");
            same(snapshot("a", 5), home.load("a", 10).snapshot(), "snapshot");
        });
        checks.add("a snapshot of the home before is refused", probe -> {
            StoredType type = probe.events();
            StoreHome before = probe.home(type, 3, 1).opened();
            StoreHome home = probe.home(type, 3, 2).opened();
            check(!before.save(snapshot("a", 5)), "stored");
            same(new LoadedEntity("a", null, List.of(), false), home.load("a", 10), "entity");
        });
        checks.add("deleted events are gone, but for the newest", RowChecks::delete);
        checks.add("the home before deletes nothing", probe -> {
            StoredType type = probe.events();
            StoreHome before = probe.home(type, 3, 1).opened();
            check(before.append(0, event("a", 1, 1), event("a", 2, 2)), "not stored");
            StoreHome home = probe.home(type, 3, 2).opened();
            check(!before.delete("a", 1, false), "deleted");
            same(2, home.events("a").size(), "events");
        });
        checks.add("a log is read in the order of its positions, in pages", RowChecks::readLog);
        checks.add("several logs are read at once", RowChecks::readLogs);
        checks.add(
                "a type that was never registered has no number",
                probe -> check(probe.find("never-registered") == null, "it has one"));
    }

    private static SnapshotRow snapshot(String id, long sequence) {
        return new SnapshotRow(id, sequence, 3, 9, Buffer.buffer("state " + sequence), Buffer.buffer("ids"));
    }

    private static void wholeEvent(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        EventRow whole = new EventRow(
                "an entity",
                1,
                1,
                "money-added",
                12,
                345,
                Buffer.buffer(new byte[] {0, 1, -1, 127, -128}),
                Buffer.buffer("meta"),
                Set.of("red", "", "\u65e5"));
        check(home.append(0, whole), "not stored");
        same(List.of(whole), home.events("an entity"), "events");
        List<ReadRow> read = log(probe, home, 0, 10);
        same(1, read.size(), "rows");
        ReadRow row = read.get(0);
        same(
                whole,
                new EventRow(
                        row.id(),
                        row.sequence(),
                        row.position(),
                        row.name(),
                        row.version(),
                        row.format(),
                        row.payload(),
                        row.meta(),
                        row.tags()),
                "row of the log");
    }

    private static void ids(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        EventRow[] rows = IntStream.range(0, IDS.size())
                .mapToObj(place -> event(IDS.get(place), 1, place + 1))
                .toArray(EventRow[]::new);
        check(home.append(0, rows), "not stored");
        for (EventRow row : rows) {
            same(List.of(row), home.events(row.id()), "events of " + row.id());
        }
        same(IDS, log(probe, home, 0, IDS.size()).stream().map(ReadRow::id).toList(), "ids in the log");
    }

    private static void zeroCharacter(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        CompletableFuture<Set<Integer>> answer = home.beginAppend(0, event("a\0b", 1, 1));
        try {
            check(home.stored(result(answer)), "neither stored nor refused");
            same(List.of(event("a\0b", 1, 1)), home.events("a\0b"), "events");
        } catch (AssertionError e) {
            same(Kind.ROW_REFUSED, StoreProbe.kind(e), "kind");
        }
        same(List.of(), home.events("a"), "events of another id");
    }

    private static void duplicate(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, 1)), "not stored");
        same(Kind.ROW_REFUSED, refusal(home.beginAppend(1, event("b", 1, 2), event("a", 1, 3))), "kind");
        same(List.of(), home.events("b"), "events of the refused call");
        check(home.append(1, event("a", 2, 2)), "the refused call changed something");
    }

    private static void pages(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        List<EventRow> rows = LongStream.rangeClosed(1, 25)
                .mapToObj(number -> event("a", number, number))
                .toList();
        check(home.append(0, rows.toArray(EventRow[]::new)), "not stored");
        same(new LoadedEntity("a", null, rows.subList(0, 10), true), home.load("a", 10), "first page");
        same(rows.subList(10, 20), home.call(way -> way.loadEvents(home.type, "a", 10, 10)), "second page");
        same(rows.subList(20, 25), home.call(way -> way.loadEvents(home.type, "a", 20, 10)), "last page");
        same(false, home.load("a", 25).more(), "more behind the last");
    }

    private static void fullAnswer(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        for (long number = 1; number <= 3; number++) {
            check(home.append(number - 1, event("b", number, number, half())), "not stored");
        }
        check(home.append(3, event("a", 1, 4, larger())), "not stored");
        List<LoadedEntity> first = home.call(way -> way.load(home.type, List.of("none", "b", "a"), 10));
        same(List.of("none", "b"), first.stream().map(LoadedEntity::id).toList(), "entities");
        same(List.of(1L, 2L), sequences(first.get(1).events()), "events");
        check(first.get(1).more(), "nothing is left");
        same(List.of(1L, 2L), sequences(home.call(way -> way.loadEvents(home.type, "b", 0, 10))), "first page");
        same(List.of(3L), sequences(home.call(way -> way.loadEvents(home.type, "b", 2, 10))), "last page");
        List<LoadedEntity> last = home.call(way -> way.load(home.type, List.of("a", "b"), 10));
        same(List.of("a"), last.stream().map(LoadedEntity::id).toList(), "entities up to one that is larger");
        same(List.of(1L), sequences(last.get(0).events()), "events of that");
    }

    private static void fullSnapshot(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, 1), event("a", 2, 2), event("b", 1, 3)), "not stored");
        check(home.save(new SnapshotRow("a", 1, 1, 1, larger(), null)), "not stored");
        List<LoadedEntity> loaded = home.call(way -> way.load(home.type, List.of("a", "b"), 10));
        same(List.of("a"), loaded.stream().map(LoadedEntity::id).toList(), "entities");
        check(loaded.get(0).snapshot() != null, "no snapshot");
        same(List.of(), loaded.get(0).events(), "events");
        check(loaded.get(0).more(), "nothing is left");
    }

    private static void fullPage(StoreProbe probe) {
        StoredType type = probe.events();
        StoreHome one = probe.home(type, 3, 1).opened();
        StoreHome other = probe.home(type, 4, 1).opened();
        for (long number = 1; number <= 3; number++) {
            check(one.append(number - 1, event("a", number, number, half())), "not stored");
        }
        check(other.append(0, event("b", 1, 1)), "not stored");
        From all = new From(one.log(), 0);
        From few = new From(other.log(), 0);
        same(Map.of(one.log(), List.of(1L, 2L)), positions(probe, all, few), "page");
        same(
                Map.of(one.log(), List.of(1L, 2L), other.log(), List.of(1L)),
                positions(probe, few, all),
                "page in another order");
        same(
                Map.of(one.log(), List.of(3L), other.log(), List.of(1L)),
                positions(probe, new From(one.log(), 2), few),
                "next page");
    }

    /** With two of these an answer is full. */
    private static Buffer half() {
        return Buffer.buffer(new byte[ReadBytes.LIMIT / 2]);
    }

    private static Buffer larger() {
        return Buffer.buffer(new byte[ReadBytes.LIMIT + 1]);
    }

    private static List<Long> sequences(List<EventRow> events) {
        return events.stream().map(EventRow::sequence).toList();
    }

    private static Map<Integer, List<Long>> positions(StoreProbe probe, From... from) {
        Map<Integer, List<Long>> positions = new HashMap<>();
        probe.await(() -> probe.reader().read(List.of(from), 10))
                .forEach((log, rows) ->
                        positions.put(log, rows.stream().map(ReadRow::position).toList()));
        return positions;
    }

    private static void snapshot(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, 1), event("a", 2, 2), event("a", 3, 3)), "not stored");
        check(home.save(snapshot("a", 2)), "not stored");
        same(new LoadedEntity("a", snapshot("a", 2), List.of(event("a", 3, 3)), false), home.load("a", 10), "entity");
    }

    private static void delete(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, 1), event("b", 1, 2), event("a", 2, 3), event("a", 3, 4)), "not stored");
        check(home.save(snapshot("a", 2)), "not stored");
        check(home.delete("a", 1, true), "the fence did not hold");
        same(snapshot("a", 2), home.load("a", 10).snapshot(), "snapshot behind what is deleted");
        check(home.delete("a", 2, false), "the fence did not hold");
        same(List.of(event("a", 3, 4)), home.events("a"), "events");
        same(snapshot("a", 2), home.load("a", 10).snapshot(), "snapshot");
        check(home.delete("a", 99, true), "the fence did not hold");
        same(new LoadedEntity("a", null, List.of(event("a", 3, 4)), false), home.load("a", 10), "entity");
        same(4L, home.opened().end(), "end");
        same(
                List.of(2L, 4L),
                log(probe, home, 0, 10).stream().map(ReadRow::position).toList(),
                "positions");
    }

    private static void readLog(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        for (long position = 1; position <= 5; position++) {
            check(home.append(position - 1, event("e" + position, 1, position)), "not stored");
        }
        same(
                List.of(1L, 2L, 3L),
                log(probe, home, 0, 3).stream().map(ReadRow::position).toList(),
                "first page");
        same(
                List.of(4L, 5L),
                log(probe, home, 3, 3).stream().map(ReadRow::position).toList(),
                "second page");
        same(List.of(), log(probe, home, 5, 3), "behind the end");
    }

    private static void readLogs(StoreProbe probe) {
        StoredType type = probe.events();
        StoreHome one = probe.home(type, 3, 1).opened();
        StoreHome other = probe.home(type, 4, 1).opened();
        StoreHome empty = probe.home(type, 5, 1).opened();
        check(one.append(0, event("a", 1, 1), event("a", 2, 2)) && other.append(0, event("b", 1, 1)), "not stored");
        Map<Integer, List<ReadRow>> read = probe.await(() -> probe.reader()
                .read(List.of(new From(one.log(), 1), new From(other.log(), 0), new From(empty.log(), 0)), 10));
        same(Set.of(one.log(), other.log()), read.keySet(), "logs with news");
        same(2L, read.getOrDefault(one.log(), List.of()).get(0).position(), "position");
        var logs = probe.await(() -> probe.reader().logs(type.number()));
        same(List.of(2L, 1L, 0L), logs.stream().map(log -> log.end()).toList(), "ends");
        same(List.of(3, 4, 5), logs.stream().map(log -> log.shard()).toList(), "shards");
    }

    private static List<ReadRow> log(StoreProbe probe, StoreHome home, long after, int limit) {
        Map<Integer, List<ReadRow>> read =
                probe.await(() -> probe.reader().read(List.of(new From(home.log(), after)), limit));
        return read.getOrDefault(home.log(), List.of());
    }
}
