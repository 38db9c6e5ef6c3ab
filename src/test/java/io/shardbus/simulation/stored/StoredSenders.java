package io.shardbus.simulation.stored;

import io.shardbus.core.protocol.Failure;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.simulation.Violation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Senders of commands: some ask once, the others repeat their identified commands until they are answered. */
final class StoredSenders {
    private static final int ENTITIES = 3;
    private static final int MOST_AT_ONCE = 20;
    /** One command in so many that store something is followed by one that an action sends. */
    private static final int ACTIONS = 3;

    private static final long ASK = 5_000;
    /** After that an attempt of a process that is gone counts as ended. */
    private static final long ATTEMPT = 7_000;

    /** Codes that say that nothing of the command is stored, and never will be. */
    private static final Set<FailureCode> NOT_STORED = EnumSet.of(
            FailureCode.STORE_UNAVAILABLE,
            FailureCode.SUPERSEDED,
            FailureCode.ENTITY_STOPPED,
            FailureCode.NOT_IN_MAJORITY,
            FailureCode.MAILBOX_FULL,
            FailureCode.REGION_BUFFER_FULL);
    /** Codes that no sender here gives a reason for. */
    private static final Set<FailureCode> NEVER = EnumSet.of(
            FailureCode.STATE_UNREADABLE,
            FailureCode.COMMAND_TOO_OLD,
            FailureCode.COMMAND_TOO_EARLY,
            FailureCode.COMMAND_ID_REUSED,
            FailureCode.DELIVERY_REFUSED,
            FailureCode.INVALID_ANSWER);

    private final StoredWorld world;
    private final Random dice;
    private final List<Sent> all = new ArrayList<>();
    private final Map<FailureCode, Integer> failures = new EnumMap<>(FailureCode.class);
    /** By node and entity, the attempts in the order in which they left. */
    private final Map<String, Deque<Attempt>> ways = new HashMap<>();

    private final Set<StoredWorld.Extra> extras;
    /** Entities that someone wants erased: what was answered before may be forgotten. */
    private final Set<String> erased = new HashSet<>();

    private int answers;

    StoredSenders(StoredWorld world, Random dice, Set<StoredWorld.Extra> extras) {
        this.world = world;
        this.dice = dice;
        this.extras = extras;
    }

    /** A command with its sender. */
    private final class Sent {
        private final Tally.Command command;
        private final int shard;
        private final String entity;
        private final String commandId;
        private boolean isOver;
        private boolean isAnswered;
        private @Nullable Object answer;

        Sent(Tally.Command command, int shard, String entity, boolean isIdentified) {
            this.command = command;
            this.shard = shard;
            this.entity = entity;
            this.commandId = isIdentified
                    ? new CommandId("command-" + command.number(), StoredWorld.EPOCH + world.now()).toString()
                    : "";
        }

        void send(int process) {
            StoredProcess target = world.process(process);
            world.note(target.id, "is asked", this);
            Attempt attempt = new Attempt(this, world.now() + ASK, world.truth().stored(entity));
            target.send(shard, entity, command, commandId, attempt, () -> leaves(attempt, target.id + " " + entity));
            world.after(ATTEMPT, attempt::giveUp);
        }

        private void leaves(Attempt attempt, String way) {
            if (command.manner() != Tally.Manner.ERASE) {
                ways.computeIfAbsent(way, first -> new ArrayDeque<>()).add(attempt);
                attempt.way = way;
            }
        }

        /** Mostly to the present home, else to one that may have been it: more often what that must not answer. */
        void send() {
            send(
                    dice.nextInt(command.isOfPresentHome() ? 2 : 6) == 0
                            ? dice.nextInt(world.processes())
                            : world.home(shard).process());
        }

        void answered(Attempt by, @Nullable Object value) {
            answers++;
            if (command.manner() != Tally.Manner.ERASE) {
                mustBeFirst(by);
            }
            world.note("sender", "answered", this + " " + value);
            // what stored nothing is judged anew
            // an erasure forgets answers, and a home that lost its shard does not know of it
            boolean mayForget = erased.contains(entity);
            boolean isForgotten = mayForget && (value == null || answer == null);
            boolean isKnown = isAnswered && !isForgotten && !commandId.isEmpty() && !command.isRead();
            world.mustHold(
                    !isKnown || Objects.equals(answer, value),
                    Kind.WRONG_END,
                    () -> this + " was answered with " + answer + ", and then with " + value);
            if (command.isRead()) {
                long shown = (Long) Objects.requireNonNullElse(value, -1L);
                world.truth().shown(entity, shown);
                if (command.manner() == Tally.Manner.CONFIRMED_READ) {
                    world.truth().confirmed(entity, shown, by.stored);
                }
            }
            if (command.manner() == Tally.Manner.ERASE) {
                world.truth().confirmed(entity, Tally.EMPTY, by.stored);
            }
            if (command.events() > 0 && !(mayForget && value == null)) {
                world.truth().answered(entity, command, Objects.requireNonNullElse(value, "null"));
            }
            isAnswered = true;
            isOver = true;
            answer = value;
            if (!commandId.isEmpty() && dice.nextInt(4) == 0) {
                world.after(dice.nextInt(3_000), this::send);
            }
        }

        void failed(FailureCode code, String text) {
            failures.merge(code, 1, Integer::sum);
            world.note("sender", "failed", this + " " + code + " " + text);
            boolean isWanted = command.manner() == Tally.Manner.REFUSE || command.manner() == Tally.Manner.THROW;
            boolean isOfEntity = code == FailureCode.ENTITY_FAILED;
            world.mustHold(
                    !NEVER.contains(code) && (isWanted || !isOfEntity),
                    Kind.EXCEPTION,
                    () -> this + ": " + code + ", " + text);
            isOver |= isOfEntity || commandId.isEmpty();
            if (commandId.isEmpty() && NOT_STORED.contains(code)) {
                world.truth().forbid(command);
            }
            again();
        }

        void again() {
            if (!isOver) {
                world.after(100 + dice.nextInt(700), () -> {
                    if (!isOver) {
                        send();
                    }
                });
            }
        }

        @Override
        public String toString() {
            return entity + " " + command + " " + commandId;
        }
    }

    /**
     * One node's messages to an entity are answered in their order, unless they fail; but an erasure is answered when
     * the void events are deleted, too.
     */
    private void mustBeFirst(Attempt answered) {
        Deque<Attempt> way = ways.getOrDefault(answered.way, new ArrayDeque<>());
        while (!way.isEmpty() && way.getFirst().isEnded && way.getFirst() != answered) {
            way.removeFirst();
        }
        world.mustHold(
                way.peekFirst() == answered,
                Kind.ORDER,
                () -> answered.sent + " is answered before " + way.getFirst().sent);
    }

    private static final class Attempt extends PendingAsk {
        private final Sent sent;
        /** Events of the entity when it left. */
        private final int stored;

        private String way = "";
        private boolean isEnded;

        Attempt(Sent sent, long deadline, int stored) {
            super(deadline);
            this.sent = sent;
            this.stored = stored;
        }

        @Override
        public void complete(@Nullable Object value) {
            isEnded = true;
            sent.answered(this, value);
        }

        @Override
        public void fail(Failure failure) {
            boolean isNew = !isEnded;
            isEnded = true;
            if (isNew) {
                sent.failed(failure.code(), failure.message());
            }
        }

        void giveUp() {
            if (!isEnded) {
                isEnded = true;
                sent.isOver |= sent.commandId.isEmpty();
                sent.again();
            }
        }
    }

    void begin(long until) {
        world.after(1 + dice.nextInt(dice.nextInt(4) == 0 ? 4 : 80), () -> {
            if (world.now() < until) {
                sendSome();
                begin(until);
            }
        });
    }

    /** Mostly one command, else several to one entity at once. */
    private void sendSome() {
        int shard = dice.nextInt(world.shards());
        int entity = dice.nextInt(ENTITIES);
        int commands = dice.nextInt(10) == 0 ? 2 + dice.nextInt(MOST_AT_ONCE - 1) : 1;
        for (int i = 0; i < commands; i++) {
            // an entity knows 128 ids: more than that in the time of a repetition would be refused
            draw(shard, entity, dice.nextInt(commands == 1 ? 3 : 8) > (commands == 1 ? 0 : 6))
                    .send();
        }
    }

    /** What an entity of this process does after a command: it may send to any one, also on another lane. */
    void act(int process) {
        if (dice.nextInt(ACTIONS) > 0) {
            return;
        }
        int shard = dice.nextInt(world.shards());
        int entity = dice.nextInt(ENTITIES);
        Sent sent = dice.nextBoolean()
                ? sent(shard, entity, 0, Tally.Manner.READ, false)
                : draw(shard, entity, dice.nextBoolean());
        if (world.process(process).hosts(shard)) {
            sent.send(process);
        } else {
            sent.send();
        }
    }

    private static String name(int shard, int entity) {
        return "s" + shard + "-" + entity;
    }

    private Sent draw(int shard, int entity, boolean isIdentified) {
        int kind = dice.nextInt(40);
        Tally.Manner manner = switch (kind) {
            case 0 -> Tally.Manner.REFUSE;
            case 1 -> Tally.Manner.THROW;
            case 2 -> Tally.Manner.NOTHING;
            case 9, 10 -> Tally.Manner.READ;
            case 11, 12 -> Tally.Manner.CONFIRMED_READ;
            case 3 -> Tally.Manner.DELETE;
            case 4, 5 -> Tally.Manner.SNAPSHOT;
            case 6, 7, 8 -> Tally.Manner.PASSIVATE;
            case 13, 14 -> with(StoredWorld.Extra.ERASED, Tally.Manner.ERASE);
            case 15, 16, 17, 18 -> with(StoredWorld.Extra.REMINDED, Tally.Manner.REMIND);
            case 19 -> with(StoredWorld.Extra.REMINDED, Tally.Manner.CANCEL);
            default -> Tally.Manner.PLAIN;
        };
        boolean isPlain = kind >= 4 && (kind < 9 || kind > 12) && manner != Tally.Manner.ERASE;
        int events = isPlain ? 1 + (dice.nextInt(4) == 0 ? dice.nextInt(3) : 0) : 0;
        int most = extras.contains(StoredWorld.Extra.SAVED) ? 1 : events;
        return sent(shard, entity, Math.min(events, most), manner, isIdentified && manner != Tally.Manner.ERASE);
    }

    private Tally.Manner with(StoredWorld.Extra extra, Tally.Manner manner) {
        return extras.contains(extra) ? manner : Tally.Manner.PLAIN;
    }

    private Sent sent(int shard, int entity, int events, Tally.Manner manner, boolean isIdentified) {
        Tally.Command command = new Tally.Command(all.size() + 1, events, manner);
        if (manner == Tally.Manner.ERASE) {
            erased.add(name(shard, entity));
        }
        Sent sent = new Sent(command, shard, name(shard, entity), isIdentified);
        all.add(sent);
        return sent;
    }

    /** One more command to each entity. */
    void last() {
        for (int shard = 0; shard < world.shards(); shard++) {
            for (int entity = 0; entity < ENTITIES; entity++) {
                sent(shard, entity, 1, Tally.Manner.PLAIN, true).send();
            }
        }
    }

    boolean isDone() {
        return all.stream().allMatch(sent -> sent.isOver);
    }

    List<Sent> open() {
        return all.stream().filter(sent -> !sent.isOver).toList();
    }

    String summary() {
        return all.size() + " commands, " + answers + " answers, failures " + failures;
    }
}
