package io.shardbus.runtime.persistence;

import io.shardbus.model.FailureCode;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.Retention;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.HostedContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An event-sourced entity as a plain one. */
final class SourcedEntity<M, E, S> extends StoredEntity<M, S, EventRow, LoadedEntity> {
    /** Bytes of a row beside the user's values. */
    private static final int ROW_BYTES = 100;

    private static final String TOMBSTONE = "deleted";

    private final EventSourced<M, E, S> type;
    private final EventSourcedEntity<M, E, S> user;
    private long snapshotNumber;
    /** Number of the snapshot that was found, also if it could not be read; 0 for none. */
    private long foundSnapshot;
    /** The snapshot has the commands up to this event. */
    private long takenThrough;
    /** Events up to here are void and were read; a projection may have been in the way of their deletion. 0: none. */
    private long voidThrough;
    /** The reason why the events lead to no state: one is missing or cannot be read. A tombstone behind it ends it. */
    private @Nullable String gap;

    private boolean isSnapshotWanted;
    private boolean isSnapshotUnderWay;

    private SourcedEntity(
            EventSourced<M, E, S> type, PersistenceStore store, String id, EventSourcedEntity<M, E, S> user) {
        super(store, id, user.emptyState(), type.deduplication());
        this.type = type;
        this.user = user;
    }

    static <M, E, S> SourcedEntity<M, E, S> of(EventSourced<M, E, S> type, PersistenceStore store, String id) {
        EventSourcedEntity<M, E, S> user = Objects.requireNonNull(type.factory().apply(id), "the factory gave null");
        return new SourcedEntity<>(type, store, id, user);
    }

    @Override
    int commitWindow() {
        return type.commitWindow();
    }

    @Override
    TypeSpec.Model model() {
        return TypeSpec.Model.EVENTS;
    }

    @Override
    LaneLogs<EventRow, LoadedEntity> makeLogs(TypeSpec spec, PersistenceStore in, HostedContext host) {
        return new EventLogs(spec, in, host, context().vertx());
    }

    @Override
    Future<Void> restore(LoadedEntity read) {
        state = user.emptyState();
        number = 0;
        taken = new TakenCommands(type.deduplication());
        snapshotNumber = 0;
        foundSnapshot = 0;
        takenThrough = 0;
        voidThrough = 0;
        gap = null;
        SnapshotRow snapshot = read.snapshot();
        if (snapshot == null) {
            return replay(read.events(), read.more());
        }
        foundSnapshot = snapshot.sequence();
        StateCodec<S> codec = type.snapshots().orElse(null);
        try {
            // the events that had them may be gone
            taken = taken.after(snapshot.meta());
            takenThrough = snapshot.sequence();
            if (codec == null) {
                throw new IllegalArgumentException("the type has no codec for snapshots");
            }
            state = codec.decode(snapshot.format(), snapshot.version(), snapshot.payload());
            number = snapshot.sequence();
            snapshotNumber = number;
            return replay(read.events(), read.more());
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            // the events lead to the same state, where they are there
            state = user.emptyState();
            taken = takenThrough > 0 ? taken : new TakenCommands(type.deduplication());
            number = 0;
            snapshotNumber = 0;
            host().counters()
                    .storeFailed(
                            context().type().name(),
                            "entity " + context().type().name() + "/" + id + ": its snapshot at " + snapshot.sequence()
                                    + " cannot be read, and its events are read instead: " + e);
            return page();
        }
    }

    /** Reads page by page to the end: not one future within the other, as there may be thousands of pages. */
    private Future<Void> page() {
        Promise<Void> done = Promise.promise();
        page(done);
        return done.future();
    }

    private void page(Promise<Void> done) {
        logs().page(key(), host(), (connection, of, fence) -> {
                    int limit = logs().pageSize().rows();
                    return connection.loadEvents(of, id, number, limit).compose(rows -> applied(new Page(rows, limit)));
                })
                .map(page -> {
                    if (page.isFull()) {
                        logs().pageSize().filled();
                    }
                    return page.isFull() || page.isLarge();
                })
                .onComplete(more -> {
                    if (more.failed()) {
                        done.fail(more.cause());
                    } else if (more.result()) {
                        host().lane().afterwards(() -> page(done));
                    } else {
                        replayed().onComplete(done);
                    }
                });
    }

    private record Page(List<EventRow> rows, int limit) {
        boolean isFull() {
            return rows.size() >= limit;
        }

        boolean isLarge() {
            ReadBytes answer = new ReadBytes();
            rows.forEach(row -> answer.add(row.payload(), row.meta()));
            return answer.isFull();
        }
    }

    private Future<Void> replay(List<EventRow> rows, boolean more) {
        return applied(rows).compose(done -> more ? page() : replayed());
    }

    /** A page is under way until its events are applied; on the lane, as the connection completes elsewhere. */
    private Future<Page> applied(Page page) {
        Promise<Page> done = Promise.promise();
        onLane(() -> applied(page.rows()).map(page).onComplete(done));
        return done.future();
    }

    /** Applies the rows, in turns with other work of the lane. */
    private Future<Void> applied(List<EventRow> rows) {
        if (rows.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> done = Promise.promise();
        Iterator<EventRow> left = rows.iterator();
        logs().replays().add(() -> {
            apply(left.next());
            if (!left.hasNext()) {
                done.complete();
            }
            return left.hasNext();
        });
        return done.future();
    }

    private void apply(EventRow row) {
        String what = "event " + row.sequence() + " (" + row.name() + ", version " + row.version() + ")";
        if (row.payload() == null) {
            voidThrough = number > 0 || isVoidSnapshot(row) ? row.sequence() - 1 : 0;
            gap = null;
        } else if (gap == null && row.sequence() != number + 1) {
            gap = what + " follows " + number;
        }
        try {
            taken = row.sequence() > takenThrough ? taken.after(row.meta()) : taken;
            state = gap == null ? applied(row) : state;
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            gap = gap == null ? CodedFailure.because(what, e) : gap;
        }
        number = row.sequence();
    }

    /** All events were read. */
    private Future<Void> replayed() {
        if (gap != null && isErased()) {
            state = user.emptyState();
            return Future.succeededFuture();
        }
        return gap == null ? Future.succeededFuture() : readAgain(gap);
    }

    /**
     * Reads the entity again if there is a newer snapshot by now: then events before it may have been deleted while the
     * pages were read.
     */
    private Future<Void> readAgain(String why) {
        long overtaken = foundSnapshot;
        return logs().load(key(), id, host()).compose(read -> {
            SnapshotRow newer = read.snapshot();
            return newer != null && newer.sequence() > overtaken ? restore(read) : unreadable(why);
        });
    }

    private boolean isVoidSnapshot(EventRow tombstone) {
        return foundSnapshot > 0 && foundSnapshot < tombstone.sequence();
    }

    private S applied(EventRow row) {
        Buffer payload = row.payload();
        if (payload == null) {
            return user.emptyState();
        }
        S next = state;
        for (E event : type.codec().decode(row.format(), row.name(), row.version(), payload)) {
            next = user.apply(next, event);
        }
        return next;
    }

    @Override
    void recovered() {
        if (voidThrough > 0) {
            delete(voidThrough, foundSnapshot > 0);
        }
        user.recovered(state, context());
    }

    @Override
    Future<@Nullable Object> decide(M message) {
        context().openReminders();
        return carryOut(Objects.requireNonNull(user.handle(state, message, context()), "handle gave null"));
    }

    private Future<@Nullable Object> carryOut(Effect<E, S> effect) {
        Future<Effect<E, S>> decision = effect.decision().orElse(null);
        if (decision != null) {
            return later(decision, made -> carryOut(Objects.requireNonNull(made, "the decision is null")));
        }
        if (effect.refusal().isPresent()) {
            context().closeReminders();
            return refused(effect.refusal().get(), effect.isConfirmed());
        }
        if (effect.deletes()) {
            context().closeReminders();
            return end(mark(new Outcome(effect), user.emptyState(), number + 1)).stored();
        }
        if (effect.events().isEmpty()) {
            context().requireNoReminders();
            return unstored(new Outcome(effect), effect.isConfirmed());
        }
        return persist(effect);
    }

    @Override
    Ending end(Marked<S> marked) {
        // the tombstone needs all commands: the events that hold them are deleted with it
        Buffer commands = marked.whole();
        var tombstone = new EventRow(id, number + 1, 0, TOMBSTONE, 1, 0, null, commands, Set.of());
        Future<@Nullable Object> stored =
                commit(List.of(tombstone), ROW_BYTES + Marked.length(commands), user.emptyState(), marked);
        return new Ending(stored, stored.compose(answer -> forget(tombstone.sequence())));
    }

    /** Deletes the events that the tombstone with this number has made void. */
    private Future<Void> forget(long tombstone) {
        snapshotNumber = tombstone;
        return delete(tombstone - 1, true)
                .compose(
                        held -> held
                                ? Future.succeededFuture()
                                : undropped("the log of shard " + key().shard() + " was opened anew meanwhile"),
                        failure -> undropped(failure.getMessage()));
    }

    private Future<Void> undropped(@Nullable String why) {
        return Future.failedFuture(new CodedFailure(
                FailureCode.STORE_UNAVAILABLE,
                "entity " + context().type().name() + "/" + id
                        + " has no state any more, but its void events may be there still; erase it again: " + why));
    }

    private Future<@Nullable Object> persist(Effect<E, S> effect) {
        List<EventRow> rows = new ArrayList<>(effect.events().size());
        S next = state;
        List<ReminderChange> changes = context().takeReminders();
        int bytes = changes.size() * ROW_BYTES;
        for (E event : effect.events()) {
            next = user.apply(next, event);
            EventCodec.Encoded encoded = type.codec().encode(event);
            rows.add(new EventRow(
                    id,
                    number + rows.size() + 1,
                    0,
                    encoded.name(),
                    encoded.version(),
                    type.codec().format(),
                    encoded.payload(),
                    null,
                    type.tags(event),
                    rows.size() == effect.events().size() - 1 ? changes : List.of()));
            bytes += encoded.payload().length() + id.getBytes(StandardCharsets.UTF_8).length + ROW_BYTES;
        }
        Marked<S> marked = mark(new Outcome(effect), next, number + rows.size());
        Buffer command = marked.one();
        rows.add(with(rows.remove(rows.size() - 1), command));
        return commit(rows, bytes + Marked.length(command), next, marked);
    }

    private static EventRow with(EventRow row, @Nullable Buffer meta) {
        return new EventRow(
                row.id(),
                row.sequence(),
                row.position(),
                row.name(),
                row.version(),
                row.format(),
                row.payload(),
                meta,
                row.tags(),
                row.reminders());
    }

    /** Decision of the user's effect. */
    private final class Outcome implements Decided<S> {
        private final Effect<E, S> effect;

        Outcome(Effect<E, S> effect) {
            this.effect = effect;
        }

        @Override
        public boolean wantsSnapshot() {
            return effect.wantsSnapshot();
        }

        @Override
        public List<Consumer<? super S>> actions() {
            return effect.actions();
        }

        @Override
        public boolean passivates() {
            return effect.passivates();
        }

        @Override
        public @Nullable Object answer(S now) {
            return effect.answer(now);
        }
    }

    @Override
    boolean changesReminders(EventRow row) {
        return row.payload() == null || !row.reminders().isEmpty();
    }

    @Override
    void stored(S reached, long at, boolean wantsSnapshot) {
        StateCodec<S> codec = type.snapshots().orElse(null);
        isSnapshotWanted |= wantsSnapshot && at > 0;
        boolean isDue = isSnapshotWanted || at - snapshotNumber >= type.snapshotEvery();
        if (codec == null || !isDue || isSnapshotUnderWay) {
            return;
        }
        isSnapshotWanted = false;
        SnapshotRow row;
        try {
            row = new SnapshotRow(id, at, codec.version(), codec.format(), codec.encode(reached), taken.whole());
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            host().counters()
                    .storeFailed(
                            context().type().name(),
                            "entity " + context().type().name() + "/" + id + ": the codec of its state failed: " + e);
            snapshotNumber = at;
            return;
        }
        isSnapshotUnderWay = true;
        logs().fenced(
                        key(),
                        (connection, of, fence) -> connection
                                .saveSnapshots(List.of(new LogAppend<>(fence, 0, List.of(row))))
                                .map(logs -> logs.contains(fence.log())))
                .onComplete(result -> {
                    isSnapshotUnderWay = false;
                    snapshotNumber = at;
                    if (result.failed()) {
                        logs().failed(result.cause());
                    } else if (result.result() && type.retention() instanceof Retention.AfterSnapshots kept) {
                        delete(at - kept.keep(), false);
                    }
                });
    }

    /** False if another home, or a later opening, has the log. */
    private Future<Boolean> delete(long through, boolean snapshotToo) {
        return logs().fenced(key(), (connection, of, fence) -> connection.delete(fence, of, id, through, snapshotToo))
                .onFailure(logs()::failed);
    }
}
