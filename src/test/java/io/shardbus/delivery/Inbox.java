package io.shardbus.delivery;

import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicReference;

/** Keeps the numbers that it was sent, each an event. Ends after every third one. */
final class Inbox implements EventSourcedEntity<Inbox.Note, Inbox.Noted, Integer> {
    static final EntityType<Note> TYPE = EntityType.of("inbox", Note.class);

    /** Numbers from here on wait for {@link #open}. */
    static final long HELD = 1_000_000_000;

    private static final AtomicReference<Promise<Void>> GATE = new AtomicReference<>(Promise.promise());

    record Note(long number, String text) {
        Note(long number) {
            this(number, "");
        }
    }

    record Noted(long number) {}

    static EventSourced<Note, Noted, Integer> inboxes() {
        return EventSourced.of(TYPE, id -> new Inbox(), EventCodec.json(Noted.class));
    }

    /** What is held is held from now on. */
    static void hold() {
        GATE.set(Promise.promise());
    }

    static void open() {
        GATE.get().tryComplete();
    }

    @Override
    public Integer emptyState() {
        return 0;
    }

    @Override
    public Effect<Noted, Integer> handle(Integer count, Note note, PersistenceContext<Note> context) {
        if (note.number() < 0) {
            return refuse("NEGATIVE", "numbers are from 0");
        }
        Effect<Noted, Integer> effect = persist(new Noted(note.number()));
        Effect<Noted, Integer> ending = count % 3 == 2 ? effect.thenPassivate() : effect;
        Future<Void> gate = GATE.get().future();
        return note.number() < HELD ? ending : after(gate.map(open -> ending));
    }

    @Override
    public Integer apply(Integer count, Noted event) {
        return count + 1;
    }
}
