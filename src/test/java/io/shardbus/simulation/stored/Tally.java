package io.shardbus.simulation.stored;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.Retention;
import io.shardbus.persistence.StateCodec;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An entity whose state is the list of what it was told: what is missing, double or in another order shows. */
final class Tally implements EventSourcedEntity<Tally.Command, Tally.Noted, Tally.State> {
    static final EntityType<Command> TYPE = EntityType.of("tally", Command.class);

    /** Numbers of the messages of reminders. */
    private static final long RINGS = 1_000_000_000;

    private static final int NAMES = 2;
    private static final long LONGEST_REMINDER = 4_000;

    /** The number of the message of the reminder that the command sets. */
    static long ring(long command) {
        return RINGS + command;
    }

    static boolean isRing(long command) {
        return command >= RINGS;
    }

    /** Shown by an entity without events. */
    static final long EMPTY = 0;

    /** What a command does beside its events. */
    enum Manner {
        PLAIN,
        SNAPSHOT,
        PASSIVATE,
        DELETE,
        /** From outside, as an operator does: no command of the entity. */
        ERASE,
        REFUSE,
        THROW,
        READ,
        CONFIRMED_READ,
        NOTHING,
        /** Sets a reminder, in place of an earlier one of its name. */
        REMIND,
        /** Cancels all reminders. */
        CANCEL,
        /** The message of a reminder, which may come twice. */
        RING
    }

    /**
     * @param number no other command has it
     * @param events that it leads to
     */
    record Command(long number, int events, Manner manner) implements Ask<Long> {
        boolean isRead() {
            return manner == Manner.READ || manner == Manner.CONFIRMED_READ;
        }

        /** Whether a home that lost its shard must not answer it, though it stores nothing. */
        boolean isOfPresentHome() {
            return manner == Manner.CONFIRMED_READ || manner == Manner.ERASE;
        }

        @Override
        public String toString() {
            return number + ":" + events + ":" + manner;
        }

        static Command parse(String text) {
            String[] parts = text.split(":", -1);
            return new Command(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), Manner.valueOf(parts[2]));
        }
    }

    /** One event of a command, the first, second or so on. */
    record Noted(long command, int index) {
        private static final int MOST = 10;

        /** Names it as one number. */
        long number() {
            return command * MOST + index;
        }

        static Noted numbered(long number) {
            return new Noted(number / MOST, (int) (number % MOST));
        }

        @Override
        public String toString() {
            return command + "." + index;
        }

        static Noted parse(String text) {
            int dot = text.indexOf('.');
            return new Noted(Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
        }
    }

    /** All events since the entity began, or was deleted. */
    record State(List<Noted> notes) {
        State with(Noted event) {
            List<Noted> more = new ArrayList<>(notes);
            more.add(event);
            return new State(more);
        }

        /** Whether the message of a reminder has taken effect. */
        boolean hasRung(Command ring) {
            return notes.contains(new Noted(ring.number(), 1));
        }

        /** Differs for each command and each number of events before it. */
        long answer(Command to) {
            return to.number() * 1000 + notes.size();
        }

        /** Names the last event. */
        long shown() {
            return notes.isEmpty() ? EMPTY : notes.get(notes.size() - 1).number();
        }
    }

    static final State NOTHING = new State(List.of());

    /** Told of each instance that has read its state, and of the actions of commands that are stored. */
    interface Reader {
        void recovered(String id, State state, PersistenceContext<Command> context);

        /** On the lane of the entity. */
        void acted();

        /** Milliseconds since 1970. */
        long wallMillis();
    }

    private final String id;
    private final Reader reader;

    private Tally(String id, Reader reader) {
        this.id = id;
        this.reader = reader;
    }

    static EventSourced<Command, Noted, State> type(int snapshotEvery, Retention retention, Reader reader) {
        return EventSourced.of(TYPE, id -> new Tally(id, reader), new Events())
                .withSnapshots(new States(), snapshotEvery)
                .withRetention(retention);
    }

    @Override
    public State emptyState() {
        return NOTHING;
    }

    @Override
    public Effect<Noted, State> handle(State state, Command command, PersistenceContext<Command> context) {
        return switch (command.manner()) {
            case REFUSE -> refuse("REFUSED", "as wanted");
            case THROW -> throw new IllegalStateException("as wanted");
            case READ -> reply(state.shown());
            case CONFIRMED_READ -> {
                Effect<Noted, State> read = reply(state.shown());
                yield read.confirmed();
            }
            case NOTHING -> nothing();
            case DELETE -> delete();
            case ERASE -> throw new IllegalStateException("an erasure is no command of the entity");
            case SNAPSHOT -> events(command).thenSnapshot();
            case PASSIVATE -> events(command).thenPassivate();
            case PLAIN -> events(command);
            case REMIND -> {
                remind(command, reader.wallMillis(), context);
                yield events(command);
            }
            case CANCEL -> {
                cancel(context);
                yield events(command);
            }
            case RING -> state.hasRung(command) ? nothing() : events(command);
        };
    }

    static void remind(Command command, long wallMillis, PersistenceContext<Command> context) {
        Instant at = Instant.ofEpochMilli(wallMillis + command.number() * 37 % LONGEST_REMINDER);
        context.remind(name(command.number()), at, new Command(ring(command.number()), 1, Manner.RING));
    }

    static void cancel(PersistenceContext<Command> context) {
        for (int i = 0; i < NAMES; i++) {
            context.cancelReminder(name(i));
        }
    }

    private static String name(long number) {
        return "r" + number % NAMES;
    }

    private Effect<Noted, State> events(Command command) {
        List<Noted> events = new ArrayList<>();
        for (int i = 1; i <= command.events(); i++) {
            events.add(new Noted(command.number(), i));
        }
        Effect<Noted, State> effect = persist(events);
        return effect.thenRun(state -> reader.acted()).thenReply(state -> state.answer(command));
    }

    @Override
    public State apply(State state, Noted event) {
        return state.with(event);
    }

    @Override
    public void recovered(State state, PersistenceContext<Command> context) {
        reader.recovered(id, state, context);
    }

    static final class Events implements EventCodec<Noted> {
        @Override
        public int format() {
            return 1;
        }

        @Override
        public Encoded encode(Noted event) {
            return new Encoded("noted", 1, Buffer.buffer(event.toString()));
        }

        @Override
        public List<Noted> decode(String name, int version, Buffer payload) {
            return List.of(Noted.parse(payload.toString()));
        }
    }

    static final class States implements StateCodec<State> {
        @Override
        public int format() {
            return 1;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public Buffer encode(State state) {
            return Buffer.buffer(state.notes().stream().map(Noted::toString).collect(Collectors.joining(" ")));
        }

        @Override
        public State decode(int version, Buffer payload) {
            return new State(Arrays.stream(payload.toString().split(" "))
                    .filter(text -> !text.isEmpty())
                    .map(Noted::parse)
                    .toList());
        }
    }

    /** Commands and answers as text. */
    static final class Texts implements PayloadCodec<Command> {
        @Override
        public String name() {
            return "text";
        }

        @Override
        public boolean accepts(@Nullable Object message) {
            return message instanceof Command;
        }

        @Override
        public void encode(@Nullable Object value, Buffer out) {
            out.appendString(value == null ? "" : value.toString());
        }

        @Override
        public @Nullable Object decode(Buffer in, int start, int end) {
            String text = in.getString(start, end);
            if (text.isEmpty()) {
                return null;
            }
            return text.indexOf(':') < 0 ? (Object) Long.valueOf(text) : Command.parse(text);
        }
    }
}
