package io.shardbus.simulation.stored;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.simulation.Violation.Kind;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What was stored, at the moment at which it was, and the rules for it; nothing is ever deleted here. */
final class Truth implements SimulatedStore.Witness, Tally.Reader {
    private static final int MOST_BATCHES = 2;

    private final StoredWorld world;
    private final Map<Integer, Log> logs = new TreeMap<>();
    private final Map<Integer, FencingToken> given = new HashMap<>();
    private final Map<String, List<EventRow>> entities = new TreeMap<>();
    /** By command, the indices of its events that are stored. */
    private final Map<Long, List<Integer>> commands = new HashMap<>();

    private final Set<Long> forbidden = new HashSet<>();
    private final Follows follows;
    private final Reminded reminded;
    int appends;
    int recoveries;
    int snapshots;

    Truth(StoredWorld world) {
        this.world = world;
        this.follows = new Follows(world, commands::containsKey);
        this.reminded = new Reminded(world);
    }

    /** Stored rows, and what followed from them. */
    Follows follows() {
        return follows;
    }

    /** Stored reminders, and what became of them. */
    Reminded reminded() {
        return reminded;
    }

    @Override
    public void acted() {
        world.acted();
    }

    @Override
    public long wallMillis() {
        return StoredWorld.EPOCH + world.now();
    }

    private static final class Log {
        private final int shard;
        private FencingToken opened = FencingToken.NONE;
        private long end;

        Log(int shard) {
            this.shard = shard;
        }
    }

    /** The shard has a home with this token, the newest of all. */
    void given(int shard, FencingToken token) {
        given.put(shard, token);
    }

    @Override
    public void opened(LogOpening opening, OpenedLog answer) {
        world.note("store", "opens", opening.shard() + " " + opening.token() + " " + answer);
        if (answer instanceof OpenedLog.Open open) {
            Log log = logs.computeIfAbsent(open.log(), first -> new Log(opening.shard()));
            world.mustHold(
                    !log.opened.isNewerThan(opening.token()),
                    Kind.TOKEN,
                    () -> opening + " was opened behind " + log.opened);
            log.opened = opening.token();
        } else {
            world.mustHold(
                    !opening.token().equals(given.get(opening.shard())),
                    Kind.RULE,
                    () -> "the newest home was superseded: " + opening);
        }
    }

    @Override
    public void appended(LogAppend<EventRow> append) {
        appends++;
        Log log = logs.get(append.fence().log());
        world.note("store", "appends", log.shard + " " + append.fence() + " " + texts(append.rows()));
        world.mustHold(
                !log.opened.isNewerThan(append.fence().token()),
                Kind.TOKEN,
                () -> "a home that was superseded by " + log.opened + " has stored " + append);
        for (EventRow row : append.rows()) {
            world.mustHold(
                    row.position() == log.end + 1,
                    Kind.HISTORY,
                    () -> "position " + row.position() + " follows " + log.end + " in the log of shard " + log.shard);
            log.end++;
            append(row);
            follows.appended(append.fence().log(), row);
            reminded.appended(row);
        }
    }

    /** A state leads from the one before by one event, or ends it. */
    @Override
    public void written(LogAppend<StateRow> write) {
        List<EventRow> rows = new ArrayList<>();
        for (StateRow row : write.rows()) {
            Buffer payload = row.payload() == null
                    ? null
                    : Buffer.buffer(last(decoded(row)).toString());
            rows.add(new EventRow(
                    row.id(),
                    row.revision(),
                    row.position(),
                    "noted",
                    row.version(),
                    row.format(),
                    payload,
                    null,
                    Set.of(),
                    row.reminders()));
        }
        appended(new LogAppend<>(write.fence(), write.end(), rows));
        for (StateRow row : write.rows()) {
            world.mustHold(
                    decoded(row).equals(fold(entities.get(row.id()), row.revision())),
                    Kind.STATE,
                    () -> "state " + row.revision() + " of " + row.id() + " is " + decoded(row));
        }
    }

    private static Tally.State decoded(StateRow row) {
        Buffer payload = row.payload();
        return payload == null ? Tally.NOTHING : new Tally.States().decode(row.version(), payload);
    }

    private static Tally.Noted last(Tally.State state) {
        return state.notes().get(state.notes().size() - 1);
    }

    private void append(EventRow row) {
        List<EventRow> rows = entities.computeIfAbsent(row.id(), first -> new ArrayList<>());
        world.mustHold(
                row.sequence() == rows.size() + 1,
                Kind.HISTORY,
                () -> "event " + row.sequence() + " of " + row.id() + " follows " + rows.size());
        rows.add(row);
        if (row.payload() != null) {
            Tally.Noted event = Tally.Noted.parse(row.payload().toString());
            if (Tally.isRing(event.command())) {
                // it comes again when its answer was lost, also to an entity that was deleted meanwhile
                commands.put(event.command(), List.of(event.index()));
                return;
            }
            List<Integer> stored = commands.computeIfAbsent(event.command(), first -> new ArrayList<>());
            stored.add(event.index());
            world.mustHold(
                    event.index() == stored.size(),
                    Kind.EXECUTED_TWICE,
                    () -> "command " + event.command() + " has stored its events " + stored);
            world.mustHold(
                    !forbidden.contains(event.command()),
                    Kind.WRONG_END,
                    () -> "command " + event.command() + " is stored, and failed as not stored");
        }
    }

    @Override
    public void saved(LogAppend<SnapshotRow> save) {
        for (SnapshotRow row : save.rows()) {
            snapshots++;
            List<EventRow> rows = entities.getOrDefault(row.id(), List.of());
            world.note("store", "snapshot", row.id() + " " + row.sequence());
            world.mustHold(
                    row.sequence() <= rows.size(),
                    Kind.STATE,
                    () -> "a snapshot of " + row.id() + " at " + row.sequence() + ", which has " + rows.size());
            Tally.State state = new Tally.States().decode(1, row.payload());
            world.mustHold(
                    state.equals(fold(rows, row.sequence())),
                    Kind.STATE,
                    () -> "the snapshot of " + row.id() + " at " + row.sequence() + " is " + state);
        }
    }

    @Override
    public void underWay(int batches) {
        world.mustHold(batches <= MOST_BATCHES, Kind.BUFFER, () -> batches + " batches of one lane are under way");
    }

    @Override
    public void recovered(String id, Tally.State state, PersistenceContext<Tally.Command> context) {
        recoveries++;
        long sequence = context.sequenceNumber();
        List<EventRow> rows = entities.getOrDefault(id, List.of());
        world.note(context.node(), "recovers", id + " " + sequence);
        world.mustHold(
                sequence <= rows.size() && state.equals(fold(rows, sequence)),
                Kind.STATE,
                () -> id + " recovered at " + sequence + " of " + rows.size() + " as " + state + ", and not as "
                        + fold(rows, sequence));
        boolean isCurrent = logs.values().stream()
                .anyMatch(log -> log.shard == context.shard() && log.opened.equals(context.token()));
        world.mustHold(
                !isCurrent || sequence == rows.size(),
                Kind.STATE,
                () -> id + " recovered at " + sequence + " although " + rows.size() + " events are stored");
    }

    private static Tally.State fold(List<EventRow> rows, long through) {
        List<Tally.Noted> notes = new ArrayList<>();
        for (EventRow row : rows.subList(0, (int) Math.min(through, rows.size()))) {
            if (row.payload() == null) {
                notes.clear();
            } else {
                notes.add(Tally.Noted.parse(row.payload().toString()));
            }
        }
        return new Tally.State(notes);
    }

    private static List<String> texts(List<EventRow> rows) {
        return rows.stream()
                .map(row -> row.id() + "#" + row.sequence() + "=" + row.payload())
                .toList();
    }

    /** The command has failed as not stored. */
    void forbid(Tally.Command command) {
        forbidden.add(command.number());
        world.mustHold(
                !commands.containsKey(command.number()),
                Kind.WRONG_END,
                () -> "command " + command + " failed as not stored, and is");
    }

    /** A command that stores nothing has shown the last event of a state, or 0 of an empty one. */
    void shown(String id, long answer) {
        Tally.Noted event = Tally.Noted.numbered(answer);
        world.mustHold(
                answer == 0 || commands.getOrDefault(event.command(), List.of()).contains(event.index()),
                Kind.STATE,
                () -> id + " has shown " + event + ", which is not stored");
    }

    /** Events of the entity so far. */
    int stored(String id) {
        return entities.getOrDefault(id, List.of()).size();
    }

    /** A confirmed read has shown this: the last event of a state no older than the ask, when so many were stored. */
    void confirmed(String id, long answer, int atAsk) {
        List<EventRow> rows = entities.getOrDefault(id, List.of());
        boolean isFresh = false;
        for (int through = atAsk; through <= rows.size() && !isFresh; through++) {
            isFresh = fold(rows, through).shown() == answer;
        }
        world.mustHold(
                isFresh,
                Kind.STATE,
                () -> id + " has shown " + Tally.Noted.numbered(answer) + " to a confirmed read, when " + atAsk
                        + " events had been stored before the ask");
    }

    /** The command was answered: all its events are stored, and the answer is that of the state behind them. */
    void answered(String id, Tally.Command command, Object answer) {
        reminded.answered(command);
        List<Integer> stored = commands.getOrDefault(command.number(), List.of());
        world.mustHold(
                stored.size() == command.events(),
                Kind.LOST,
                () -> "command " + command + " of " + id + " was answered, and of its events are stored " + stored);
        List<EventRow> rows = entities.getOrDefault(id, List.of());
        long last = 0;
        for (EventRow row : rows) {
            boolean isOfIt = row.payload() != null
                    && Tally.Noted.parse(row.payload().toString()).command() == command.number();
            last = isOfIt ? row.sequence() : last;
        }
        long expected = fold(rows, last).answer(command);
        world.mustHold(
                answer.equals(expected),
                Kind.STATE,
                () -> "command " + command + " of " + id + " was answered with " + answer + ", not " + expected);
    }
}
