package io.shardbus.simulation.stored;

import io.shardbus.delivery.EntityCommand;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.OffsetStore.Parked;
import io.shardbus.simulation.Violation.Kind;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules for what follows from stored events: projections, reactions and numbered deliveries. */
final class Follows {
    private static final int MOST_COMMANDS = 256;
    private static final Set<FailureCode> NEVER = EnumSet.of(
            FailureCode.STATE_UNREADABLE,
            FailureCode.COMMAND_TOO_OLD,
            FailureCode.COMMAND_ID_REUSED,
            FailureCode.DELIVERY_REFUSED);

    private final StoredWorld world;
    private final LongPredicate isStored;
    /** By log and position, all that was ever stored. */
    private final Map<Integer, TreeMap<Long, EventRow>> rows = new TreeMap<>();
    /** By derived command, its number among the deliveries of its log. */
    private final Map<Long, Delivery> deliveries = new HashMap<>();
    /** By entity and log, the last delivery that took effect. */
    private final Map<String, Long> last = new HashMap<>();
    /** By log, the positions that were handled. */
    private final Map<Integer, Set<Long>> handled = new HashMap<>();

    private final Map<Integer, Long> highest = new HashMap<>();
    /** By projection, what was deleted before it began. */
    private final Map<String, Map<Integer, Set<Long>>> deleted = new HashMap<>();

    private record Delivery(int log, long number) {}

    Follows(StoredWorld world, LongPredicate isStored) {
        this.world = world;
        this.isStored = isStored;
    }

    void appended(int log, EventRow row) {
        rows.computeIfAbsent(log, first -> new TreeMap<>()).put(row.position(), row);
        Tally.Noted event = event(row);
        if (event == null) {
            return;
        }
        List<EntityCommand<Tally.Command>> commands = Followers.commands(event, world.shards());
        for (int i = 0; i < commands.size(); i++) {
            deliveries.put(commands.get(i).message().number(), new Delivery(log, row.position() * MOST_COMMANDS + i));
        }
        Delivery delivery = deliveries.get(event.command());
        if (delivery != null) {
            Long before = last.put(row.id() + "/" + delivery.log(), delivery.number());
            world.mustHold(
                    before == null || before < delivery.number(),
                    Kind.ORDER,
                    () -> row.id() + " took delivery " + delivery + " after " + before);
        }
    }

    private static Tally.@Nullable Noted event(EventRow row) {
        return row.payload() == null ? null : Tally.Noted.parse(row.payload().toString());
    }

    /** A worker of the projection has its logs; from now on nothing that it has not read is deleted. */
    void claimed(String projection) {
        if (deleted.containsKey(projection)) {
            return;
        }
        Map<Integer, Set<Long>> gone = new HashMap<>();
        rows.forEach((log, all) -> {
            Set<Long> there = world
                    .store()
                    .content()
                    .reader()
                    .read(List.of(new From(log, 0)), Integer.MAX_VALUE - 1)
                    .result()
                    .getOrDefault(log, List.of())
                    .stream()
                    .map(ReadRow::position)
                    .collect(Collectors.toSet());
            Set<Long> missing = new HashSet<>(all.keySet());
            missing.removeAll(there);
            gone.put(log, missing);
        });
        deleted.put(projection, gone);
    }

    /** The projection has handled an event; one that it had not is the next. */
    void handled(int log, long position) {
        if (handled.computeIfAbsent(log, first -> new HashSet<>()).add(position)) {
            Long before = highest.put(log, position);
            world.mustHold(
                    before == null || before < position,
                    Kind.ORDER,
                    () -> "position " + position + " of log " + log + " was handled after " + before);
        }
    }

    /** An offset has moved: all that is behind it is done. */
    void moved(String projection, int log, long before, long after) {
        world.note(projection, "moves", log + " " + before + " " + after);
        Set<Long> parked = world.store().content().offsets().parked(projection, Integer.MAX_VALUE).result().stream()
                .filter(event -> event.log() == log)
                .map(Parked::position)
                .collect(Collectors.toSet());
        Set<Long> gone = deleted.getOrDefault(projection, Map.of()).getOrDefault(log, Set.of());
        rows.getOrDefault(log, new TreeMap<>())
                .subMap(before, false, after, true)
                .forEach((position, row) -> {
                    boolean isOver = gone.contains(position) || parked.contains(position);
                    world.mustHold(
                            isOver || isDone(projection, log, row),
                            Kind.LOST,
                            () -> projection + " passes " + row.id() + " " + row.payload() + " at " + position
                                    + " of log " + log + ", of which not all is done");
                });
    }

    private boolean isDone(String projection, int log, EventRow row) {
        if (projection.equals(Followers.SEEN)) {
            return handled.getOrDefault(log, Set.of()).contains(row.position());
        }
        return Followers.commands(event(row), world.shards()).stream()
                .allMatch(command -> isStored.test(command.message().number()));
    }

    /** A delivery was not taken. */
    void refused(FailureCode code, Tally.Command command, String text) {
        boolean isWanted = command.manner() == Tally.Manner.REFUSE;
        world.mustHold(
                !NEVER.contains(code) && (isWanted || code != FailureCode.ENTITY_FAILED),
                Kind.EXCEPTION,
                () -> command + ": " + code + ", " + text);
    }
}
