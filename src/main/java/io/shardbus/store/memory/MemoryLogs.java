package io.shardbus.store.memory;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Types, logs and rows. One call at a time, each takes effect as a whole. */
final class MemoryLogs {
    private final Map<String, Type> types = new HashMap<>();
    private final List<Type> byNumber = new ArrayList<>();
    private final List<Log> logs = new ArrayList<>();
    private final Map<Place, Log> places = new HashMap<>();
    private final Map<EntityKey, Stored> entities = new HashMap<>();

    private final MemoryOffsets offsets;

    MemoryLogs(MemoryOffsets offsets) {
        this.offsets = offsets;
    }

    private record Place(int type, int layout, int shard) {}

    private record EntityKey(int type, String id) {}

    private record EventKey(EntityKey entity, long sequence) {}

    private static final class Type {
        private TypeSpec spec;
        private int layout = 1;
        private int opened = 1;

        Type(TypeSpec spec) {
            this.spec = spec;
        }
    }

    private static final class Log {
        private final int number;
        private final Place place;
        private final TreeMap<Long, EventReader.ReadRow> rows = new TreeMap<>();
        private FencingToken token = FencingToken.NONE;
        private long opening;
        private long end;

        Log(int number, Place place) {
            this.number = number;
            this.place = place;
        }
    }

    /** Stored rows of one entity. */
    private static final class Stored {
        private final TreeMap<Long, EventRow> events = new TreeMap<>();
        private @Nullable SnapshotRow snapshot;
        private @Nullable StateRow state;
        private int stateLog;
        private final TreeMap<String, Reminder> reminders = new TreeMap<>();

        void change(String id, long number, boolean isGone, List<ReminderChange> changes) {
            if (isGone) {
                reminders.clear();
            }
            for (ReminderChange change : changes) {
                if (change.payload() == null) {
                    reminders.remove(change.name());
                } else {
                    reminders.put(
                            change.name(), new Reminder(id, change.name(), number, change.due(), change.payload()));
                }
            }
        }
    }

    synchronized long highestTerm() {
        return logs.stream().mapToLong(log -> log.token.term()).max().orElse(0);
    }

    synchronized StoredType register(TypeSpec spec) {
        Type type = types.get(spec.name());
        if (type == null) {
            type = new Type(spec);
            types.put(spec.name(), type);
            byNumber.add(type);
        }
        if (type.spec.model() != spec.model()) {
            throw new StoreException(
                    StoreException.Kind.INCOMPATIBLE,
                    "type '" + spec.name() + "' is stored as " + type.spec.model() + ", and not as " + spec.model());
        }
        if (!type.spec.equals(spec)) {
            type.spec = spec;
            type.layout++;
        }
        return new StoredType(byNumber.indexOf(type) + 1, type.layout);
    }

    synchronized List<OpenedLog> open(List<LogOpening> openings) {
        return openings.stream().map(this::open).toList();
    }

    private OpenedLog open(LogOpening opening) {
        Type type = byNumber.get(opening.type().number() - 1);
        var place = new Place(opening.type().number(), opening.type().layout(), opening.shard());
        if (place.layout() < type.opened) {
            return new OpenedLog.Sealed();
        }
        Log log = places.computeIfAbsent(place, this::newLog);
        if (log.token.isNewerThan(opening.token())) {
            return new OpenedLog.Superseded();
        }
        type.opened = place.layout();
        log.token = opening.token();
        log.opening++;
        return new OpenedLog.Open(log.number, log.opening, log.end);
    }

    private Log newLog(Place place) {
        var log = new Log(logs.size() + 1, place);
        logs.add(log);
        return log;
    }

    synchronized Set<Integer> append(List<LogAppend<EventRow>> appends) {
        List<LogAppend<EventRow>> admitted = admitted(appends, true);
        Set<EventKey> keys = new HashSet<>();
        for (LogAppend<EventRow> append : admitted) {
            Log log = log(append.fence());
            long position = append.end();
            for (EventRow row : append.rows()) {
                requirePosition(++position, row.position());
                Stored stored = entities.get(key(log, row.id()));
                boolean isKnown = stored != null && stored.events.containsKey(row.sequence());
                if (isKnown || !keys.add(new EventKey(key(log, row.id()), row.sequence()))) {
                    throw new StoreException(
                            StoreException.Kind.ROW_REFUSED,
                            "entity '" + row.id() + "' has an event " + row.sequence() + " already");
                }
            }
        }
        for (LogAppend<EventRow> append : admitted) {
            Log log = log(append.fence());
            for (EventRow row : append.rows()) {
                Stored stored = stored(log, row.id());
                stored.events.put(row.sequence(), unreminded(row));
                stored.change(row.id(), row.sequence(), row.payload() == null, row.reminders());
                log.rows.put(row.position(), readRow(log, row));
                log.end = row.position();
            }
        }
        return numbers(admitted);
    }

    synchronized Set<Integer> write(List<LogAppend<StateRow>> writes) {
        List<LogAppend<StateRow>> admitted = admitted(writes, true);
        Map<EntityKey, Long> revisions = new HashMap<>();
        for (LogAppend<StateRow> write : admitted) {
            Log log = log(write.fence());
            long position = write.end();
            for (StateRow row : write.rows()) {
                requirePosition(++position, row.position());
                EntityKey key = key(log, row.id());
                long revision = revisions.computeIfAbsent(key, this::revision);
                if (row.revision() != revision + 1) {
                    throw new StoreException(
                            StoreException.Kind.ROW_REFUSED,
                            "the state of entity '" + row.id() + "' has revision " + revision + ", not "
                                    + (row.revision() - 1));
                }
                revisions.put(key, row.revision());
            }
        }
        for (LogAppend<StateRow> write : admitted) {
            write.rows().forEach(row -> store(log(write.fence()), row));
        }
        return numbers(admitted);
    }

    private void store(Log log, StateRow row) {
        Stored stored = stored(log, row.id());
        if (stored.state != null) {
            logs.get(stored.stateLog - 1).rows.remove(stored.state.position());
        }
        stored.state = unreminded(row);
        stored.change(row.id(), row.revision(), row.payload() == null, row.reminders());
        stored.stateLog = log.number;
        log.rows.put(row.position(), readRow(log, row));
        log.end = row.position();
    }

    private long revision(EntityKey key) {
        Stored stored = entities.get(key);
        return stored == null || stored.state == null ? 0 : stored.state.revision();
    }

    synchronized Set<Integer> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) {
        List<LogAppend<SnapshotRow>> admitted = admitted(snapshots, false);
        for (LogAppend<SnapshotRow> save : admitted) {
            for (SnapshotRow row : save.rows()) {
                Stored stored = stored(log(save.fence()), row.id());
                if (stored.snapshot == null || stored.snapshot.sequence() <= row.sequence()) {
                    stored.snapshot = row;
                }
            }
        }
        return numbers(admitted);
    }

    synchronized List<LoadedEntity> load(StoredType type, List<String> ids, int limit) {
        List<LoadedEntity> loaded = new ArrayList<>();
        ReadBytes answer = new ReadBytes();
        for (String id : ids) {
            if (answer.isFull()) {
                break;
            }
            Stored stored = entities.get(new EntityKey(type.number(), id));
            SnapshotRow snapshot = stored == null ? null : stored.snapshot;
            if (snapshot != null) {
                answer.add(snapshot.payload(), snapshot.meta());
            }
            List<EventRow> events = loadEvents(type, id, snapshot == null ? 0 : snapshot.sequence(), limit + 1, answer);
            boolean isCut = events.size() > limit;
            List<EventRow> first = isCut ? events.subList(0, limit) : events;
            loaded.add(new LoadedEntity(id, snapshot, first, isCut || answer.isFull()));
        }
        return loaded;
    }

    synchronized List<EventRow> loadEvents(StoredType type, String id, long after, int limit) {
        return loadEvents(type, id, after, limit, new ReadBytes());
    }

    private List<EventRow> loadEvents(StoredType type, String id, long after, int limit, ReadBytes answer) {
        Stored stored = entities.get(new EntityKey(type.number(), id));
        List<EventRow> rows = new ArrayList<>();
        for (EventRow row : stored == null
                ? List.<EventRow>of()
                : stored.events.tailMap(after, false).values()) {
            if (rows.size() == limit || answer.isFull()) {
                break;
            }
            rows.add(row);
            answer.add(row.payload(), row.meta());
        }
        return rows;
    }

    synchronized Map<String, StateRow> loadStates(StoredType type, List<String> ids) {
        Map<String, StateRow> states = new HashMap<>();
        ReadBytes answer = new ReadBytes();
        for (String id : ids) {
            Stored stored = entities.get(new EntityKey(type.number(), id));
            if (stored != null && stored.state != null && !answer.isFull()) {
                states.put(id, stored.state);
                answer.add(stored.state.payload(), stored.state.meta());
            }
        }
        return states;
    }

    synchronized boolean delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) {
        if (!holds(fence)) {
            return false;
        }
        Stored stored = entities.get(new EntityKey(type.number(), id));
        if (stored != null) {
            SnapshotRow snapshot = stored.snapshot;
            if (snapshotToo && snapshot != null && snapshot.sequence() <= through) {
                stored.snapshot = null;
            }
            Set<Integer> ofType = logs.stream()
                    .filter(log -> log.place.type() == type.number())
                    .map(log -> log.number)
                    .collect(Collectors.toSet());
            while (stored.events.size() > 1 && stored.events.firstKey() <= through) {
                EventRow oldest = stored.events.firstEntry().getValue();
                Log log = logOf(type, oldest);
                if (offsets.isUnread(ofType, log.number, oldest.position())) {
                    break;
                }
                log.rows.remove(oldest.position());
                stored.events.pollFirstEntry();
            }
        }
        return true;
    }

    private Log logOf(StoredType type, EventRow event) {
        return logs.stream()
                .filter(log -> log.place.type() == type.number() && hasRow(log, event))
                .findFirst()
                .orElseThrow();
    }

    private static boolean hasRow(Log log, EventRow event) {
        EventReader.ReadRow row = log.rows.get(event.position());
        return row != null && row.id().equals(event.id()) && row.sequence() == event.sequence();
    }

    /** Rows that are read say nothing of reminders. */
    private static EventRow unreminded(EventRow row) {
        return row.reminders().isEmpty()
                ? row
                : new EventRow(
                        row.id(),
                        row.sequence(),
                        row.position(),
                        row.name(),
                        row.version(),
                        row.format(),
                        row.payload(),
                        row.meta(),
                        row.tags());
    }

    private static StateRow unreminded(StateRow row) {
        return new StateRow(
                row.id(), row.revision(), row.position(), row.version(), row.format(), row.payload(), row.meta());
    }

    synchronized List<Reminder> reminders(int type, List<Integer> parts, int limit) {
        return entities.entrySet().stream()
                .filter(entity -> entity.getKey().type() == type
                        && parts.contains(ReminderStore.part(entity.getKey().id())))
                .flatMap(entity -> entity.getValue().reminders.values().stream())
                .sorted(Comparator.comparingLong(Reminder::due))
                .limit(limit)
                .toList();
    }

    synchronized List<Reminder> reminders(int type, String id) {
        Stored stored = entities.get(new EntityKey(type, id));
        return stored == null ? List.of() : List.copyOf(stored.reminders.values());
    }

    synchronized void settle(int type, List<ReminderStore.Settled> settled) {
        for (ReminderStore.Settled one : settled) {
            Reminder read = one.reminder();
            Stored stored = entities.get(new EntityKey(type, read.id()));
            Reminder present = stored == null ? null : stored.reminders.get(read.name());
            if (stored == null || present == null || present.number() != read.number() || present.due() != read.due()) {
                continue;
            }
            if (one.next() == 0) {
                stored.reminders.remove(read.name());
            } else {
                stored.reminders.put(
                        read.name(),
                        new Reminder(read.id(), read.name(), read.number(), one.next(), present.payload()));
            }
        }
    }

    synchronized @Nullable Integer type(String name) {
        Type type = types.get(name);
        return type == null ? null : byNumber.indexOf(type) + 1;
    }

    synchronized List<EventReader.LogInfo> logsOf(int type) {
        return logs.stream()
                .filter(log -> log.place.type() == type)
                .map(log -> new EventReader.LogInfo(
                        log.number,
                        log.place.layout(),
                        log.place.shard(),
                        log.place.layout() < byNumber.get(type - 1).opened,
                        log.end))
                .sorted((a, b) -> Integer.compare(a.layout(), b.layout()))
                .toList();
    }

    synchronized Map<Integer, List<EventReader.ReadRow>> read(List<EventReader.From> from, int limit) {
        Map<Integer, List<EventReader.ReadRow>> read = new HashMap<>();
        ReadBytes answer = new ReadBytes();
        for (EventReader.From place : from) {
            List<EventReader.ReadRow> rows = new ArrayList<>();
            for (EventReader.ReadRow row :
                    logs.get(place.log() - 1).rows.tailMap(place.after(), false).values()) {
                if (rows.size() == limit || answer.isFull()) {
                    break;
                }
                rows.add(row);
                answer.add(row.payload(), row.meta());
            }
            if (!rows.isEmpty()) {
                read.put(place.log(), rows);
            }
        }
        return read;
    }

    private <R> List<LogAppend<R>> admitted(List<LogAppend<R>> appends, boolean atEnd) {
        return appends.stream()
                .filter(append -> holds(append.fence()))
                .filter(append -> !atEnd || log(append.fence()).end == append.end())
                .toList();
    }

    private boolean holds(LogFence fence) {
        Log log = log(fence);
        boolean isSealed = log.place.layout() < byNumber.get(log.place.type() - 1).opened;
        return !isSealed && log.token.equals(fence.token()) && log.opening == fence.opening();
    }

    private static void requirePosition(long expected, long given) {
        if (expected != given) {
            throw new IllegalArgumentException("position " + given + " instead of " + expected);
        }
    }

    private static <R> Set<Integer> numbers(List<LogAppend<R>> appends) {
        Set<Integer> numbers = new HashSet<>();
        appends.forEach(append -> numbers.add(append.fence().log()));
        return numbers;
    }

    private Log log(LogFence fence) {
        return Objects.requireNonNull(logs.get(fence.log() - 1), "log");
    }

    private Stored stored(Log log, String id) {
        return entities.computeIfAbsent(key(log, id), key -> new Stored());
    }

    private static EntityKey key(Log log, String id) {
        return new EntityKey(log.place.type(), id);
    }

    private static EventReader.ReadRow readRow(Log log, EventRow row) {
        return new EventReader.ReadRow(
                log.number,
                row.position(),
                row.id(),
                row.sequence(),
                row.name(),
                row.version(),
                row.format(),
                row.payload(),
                row.meta(),
                row.tags(),
                0);
    }

    private static EventReader.ReadRow readRow(Log log, StateRow row) {
        return new EventReader.ReadRow(
                log.number,
                row.position(),
                row.id(),
                row.revision(),
                "state",
                row.version(),
                row.format(),
                row.payload(),
                row.meta(),
                Set.of(),
                0);
    }
}
