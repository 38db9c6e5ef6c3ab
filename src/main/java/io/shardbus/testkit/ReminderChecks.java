package io.shardbus.testkit;

import static io.shardbus.testkit.StoreProbe.check;
import static io.shardbus.testkit.StoreProbe.same;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.ReminderStore.Settled;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.testkit.EventStoreContract.Checks;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Reminders that are set and cancelled with rows, and settled. */
final class ReminderChecks {
    private static final Buffer MESSAGE = Buffer.buffer("m");
    private static final Buffer OTHER = Buffer.buffer("other");
    private static final List<Integer> ALL =
            IntStream.range(0, ReminderStore.PARTS).boxed().toList();

    private ReminderChecks() {}

    static void addTo(Checks checks) {
        checks.add("a reminder is set, replaced and cancelled with events", ReminderChecks::events);
        checks.add("a reminder is set and cancelled with states", ReminderChecks::states);
        checks.add("a tombstone cancels all reminders of its entity, and no other's", ReminderChecks::tombstone);
        checks.add("what a fence, an end or a row refuses sets no reminder", ReminderChecks::refused);
        checks.add("reminders of parts come in the order of their times", ReminderChecks::order);
        checks.add("a reminder that was set anew or cancelled is not settled", ReminderChecks::settled);
        checks.add("a reminder that was set anew alike is another one", ReminderChecks::setAlikeAnew);
    }

    private static ReminderChange set(String name, long due) {
        return new ReminderChange(name, due, MESSAGE);
    }

    private static ReminderChange cancel(String name) {
        return new ReminderChange(name, 0, null);
    }

    private static EventRow event(String id, long number, ReminderChange... changes) {
        return new EventRow(id, number, number, "added", 1, 1, MESSAGE, null, Set.of(), List.of(changes));
    }

    private static StateRow state(String id, long number, Buffer payload, ReminderChange... changes) {
        return new StateRow(id, number, number, 1, 1, payload, null, List.of(changes));
    }

    private static List<Reminder> of(StoreProbe probe, StoreHome home, String id) {
        return probe.await(() -> probe.store().reminders().of(home.type.number(), id));
    }

    private static List<Reminder> first(StoreProbe probe, StoreHome home, List<Integer> parts, int limit) {
        return probe.await(() -> probe.store().reminders().first(home.type.number(), parts, limit));
    }

    private static void settle(StoreProbe probe, StoreHome home, Settled... settled) {
        probe.await(() -> probe.store().reminders().settle(home.type.number(), List.of(settled)));
    }

    private static void events(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, set("x", 7), set("y", 5))), "not stored");
        same(
                List.of(new Reminder("a", "x", 1, 7, MESSAGE), new Reminder("a", "y", 1, 5, MESSAGE)),
                of(probe, home, "a"),
                "set");
        check(home.append(1, event("a", 2, new ReminderChange("x", 9, OTHER), cancel("y"), cancel("z"))), "not stored");
        same(List.of(new Reminder("a", "x", 2, 9, OTHER)), of(probe, home, "a"), "replaced");
        same(List.of(), home.events("a").get(1).reminders(), "of a row that is read");
        same(List.of(), of(probe, home, "b"), "another's");
    }

    private static void states(StoreProbe probe) {
        StoreHome home = probe.home(probe.states(), 3, 1).opened();
        check(home.write(0, state("a", 1, MESSAGE, set("x", 7), set("y", 5))), "not stored");
        check(home.write(1, state("a", 2, MESSAGE, cancel("x"))), "not stored");
        same(List.of(new Reminder("a", "y", 1, 5, MESSAGE)), of(probe, home, "a"), "left");
        check(home.write(2, new StateRow("a", 3, 3, 1, 1, null, null)), "not stored");
        same(List.of(), of(probe, home, "a"), "of an entity that was deleted");
    }

    private static void tombstone(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, set("x", 7), set("y", 5))), "not stored");
        check(
                home.append(1, new EventRow("b", 1, 2, "added", 1, 1, MESSAGE, null, Set.of(), List.of(set("x", 3)))),
                "b");
        check(home.append(2, new EventRow("a", 2, 3, "deleted", 1, 0, null, null, Set.of())), "not stored");
        same(List.of(), of(probe, home, "a"), "of an entity that was deleted");
        same(List.of(new Reminder("b", "x", 1, 3, MESSAGE)), of(probe, home, "b"), "another's");
    }

    private static void refused(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, set("x", 7))), "not stored");
        check(!home.append(0, event("a", 2, cancel("x"), set("y", 1))), "stored at another end");
        StoreProbe.refusal(home.beginAppend(
                1, new EventRow("a", 1, 2, "added", 1, 1, MESSAGE, null, Set.of(), List.of(cancel("x")))));
        StoreHome next = home.as(3, 2).opened();
        check(!home.append(1, event("a", 2, cancel("x"), set("y", 1))), "stored by the home before");
        same(List.of(new Reminder("a", "x", 1, 7, MESSAGE)), of(probe, next, "a"), "left");
    }

    private static void order(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        List<Reminder> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = "e" + i;
            long due = 1000L + i * 7L % 20;
            check(
                    home.append(
                            i,
                            new EventRow(id, 1, i + 1, "added", 1, 1, MESSAGE, null, Set.of(), List.of(set("x", due)))),
                    "not stored");
            all.add(new Reminder(id, "x", 1, due, MESSAGE));
        }
        all.sort(Comparator.comparingLong(Reminder::due));
        same(all, first(probe, home, ALL, 100), "all");
        same(all.subList(0, 5), first(probe, home, ALL, 5), "the first");
        int part = ReminderStore.part("e3");
        same(
                all.stream().filter(one -> ReminderStore.part(one.id()) == part).toList(),
                first(probe, home, List.of(part), 100),
                "of a part");
    }

    private static void settled(StoreProbe probe) {
        StoreHome home = probe.home(probe.events(), 3, 1).opened();
        check(home.append(0, event("a", 1, set("x", 7), set("y", 5), set("z", 6))), "not stored");
        List<Reminder> read = of(probe, home, "a");
        check(home.append(1, event("a", 2, set("x", 8), cancel("y"))), "not stored");
        Settled again = new Settled(read.get(2), 60);
        settle(probe, home, new Settled(read.get(0), 0), new Settled(read.get(1), 50), again);
        same(
                List.of(new Reminder("a", "x", 2, 8, MESSAGE), new Reminder("a", "z", 1, 60, MESSAGE)),
                of(probe, home, "a"),
                "left");
        settle(probe, home, new Settled(new Reminder("a", "x", 1, 8, MESSAGE), 0));
        settle(probe, home, new Settled(new Reminder("a", "x", 2, 7, MESSAGE), 0));
        settle(probe, home, new Settled(new Reminder("a", "z", 1, 60, MESSAGE), 0));
        same(List.of(new Reminder("a", "x", 2, 8, MESSAGE)), of(probe, home, "a"), "left");
    }

    /** As by its own handler, while it is delivered: the time and the message are no marks of it. */
    private static void setAlikeAnew(StoreProbe probe) {
        StoreHome events = probe.home(probe.events(), 3, 1).opened();
        check(events.append(0, event("a", 1, set("x", 7), set("y", 7))), "not stored");
        List<Reminder> read = of(probe, events, "a");
        check(events.append(1, event("a", 2, set("x", 7), set("y", 7))), "not stored");
        settle(probe, events, new Settled(read.get(0), 0), new Settled(read.get(1), 60));
        same(
                List.of(new Reminder("a", "x", 2, 7, MESSAGE), new Reminder("a", "y", 2, 7, MESSAGE)),
                of(probe, events, "a"),
                "set by events");
        StoreHome states = probe.home(probe.states(), 3, 1).opened();
        check(states.write(0, state("a", 1, MESSAGE, set("x", 7))), "not stored");
        Reminder first = of(probe, states, "a").get(0);
        check(states.write(1, state("a", 2, MESSAGE, cancel("x"))), "not stored");
        check(states.write(2, state("a", 3, MESSAGE, set("x", 7))), "not stored");
        settle(probe, states, new Settled(first, 0));
        same(List.of(new Reminder("a", "x", 3, 7, MESSAGE)), of(probe, states, "a"), "set by states");
    }
}
