package io.shardbus.simulation;

import io.shardbus.core.entity.CellState;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Violation.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of every message and every instance; it throws at the first event that breaks a promise. */
final class Ledger {
    /** Failures that say: the message was never executed. */
    static final Set<FailureCode> NOT_EXECUTED = EnumSet.of(
            FailureCode.REGION_BUFFER_FULL,
            FailureCode.MAILBOX_FULL,
            FailureCode.SHUTTING_DOWN,
            FailureCode.NOT_IN_MAJORITY,
            FailureCode.ENTITY_STOPPED);

    private static final class Fate {
        final Letter letter;
        final SimNode sender;
        final boolean ask;
        final boolean late;
        final Set<NodeId> reached = new HashSet<>(2);
        boolean handed;
        /** Whether its work ended when another instance might have begun elsewhere. */
        boolean outlived;

        /** Whether the lane on which it was sent has accepted it. */
        boolean accepted;

        boolean ended;

        @Nullable
        FailureCode code;

        Fate(Letter letter, LaneLoop loop, boolean ask) {
            this.letter = letter;
            this.sender = loop.node;
            this.ask = ask;
            this.late = !loop.node.isStaying() || loop.hosting.isEnding();
        }
    }

    private record Instance(SimEntity code, LaneLoop loop) {
        private static final Set<CellState> IN_HAND =
                Set.of(CellState.BUSY, CellState.ASKED, CellState.OFFERED, CellState.STOPPING);

        String entity() {
            return code.id();
        }

        boolean isInHand() {
            return IN_HAND.contains(code.cell.state());
        }

        @Override
        public String toString() {
            return entity() + " under " + code.token + " on " + loop;
        }
    }

    private record Way(String sender, String entity) {}

    private record Place(SimType type, int shard, FencingToken token) {}

    private final Simulation world;
    private final List<Fate> fates = new ArrayList<>();
    private final Map<Way, Long> written = new HashMap<>();
    private final Map<Way, Long> lastHanded = new HashMap<>();
    private int forcedStops;
    private final Map<Long, Instance> live = new LinkedHashMap<>();
    private final Map<String, Set<Long>> liveOf = new HashMap<>();
    private final Map<String, FencingToken> newest = new HashMap<>();
    private final Map<Place, NodeId> places = new HashMap<>();
    private final Set<NodeId> crashed = new HashSet<>();
    private final MovedStates states = new MovedStates();
    private long instances;
    /** The highest term of the store that all types share, before this world and now. */
    private final long storedBefore;

    private long highestTerm;

    Ledger(Simulation world) {
        this.world = world;
        this.storedBefore = world.options().storeAhead == 0 ? 0 : NodeClocks.EPOCH + world.options().storeAhead;
        this.highestTerm = storedBefore;
    }

    /** The highest term of a token under which an instance has begun. */
    long highestTerm() {
        return highestTerm;
    }

    /** How many messages have been sent. */
    int letters() {
        return fates.size();
    }

    /** Whether one of the type's messages among the first so many has neither come to its entity nor ended. */
    boolean hasBacklog(SimType type, int first) {
        return fates.subList(0, first).stream()
                .anyMatch(fate -> !fate.handed && !fate.ended && type.equals(world.typeOf(fate.letter.entity())));
    }

    MovedStates states() {
        return states;
    }

    Letter write(LaneLoop loop, boolean ownShard, Next next, boolean ask) {
        String name = ownShard ? loop.node + "/own" : loop.node.toString();
        long number = written.merge(new Way(name, next.entity()), 1L, Long::sum);
        boolean adds = ask || Integer.parseInt(next.entity().substring(1)) % 3 == 0;
        long amount = adds ? 1 + fates.size() % 7 : 0;
        Letter letter = new Letter(fates.size(), name, next.entity(), number, amount, next.work());
        fates.add(new Fate(letter, loop, ask));
        return letter;
    }

    void reached(Letter letter, SimNode node) {
        fates.get((int) letter.id()).reached.add(node.id);
    }

    /** An entity gets a message. */
    void handed(Letter letter, SimEntity entity) {
        Fate fate = fates.get((int) letter.id());
        if (fate.handed) {
            throw new Violation(Kind.EXECUTED_TWICE, letter + " is executed a second time");
        }
        if (fate.ended && fate.code != null && NOT_EXECUTED.contains(fate.code)) {
            throw new Violation(Kind.EXECUTED_TWICE, letter + " is executed after it failed with " + fate.code);
        }
        fate.handed = true;
        states.handed(letter.entity());
        world.idStore().mustHave(letter.entity());
        Long before = lastHanded.put(new Way(letter.sender(), letter.entity()), letter.number());
        if (before != null && before >= letter.number()) {
            throw new Violation(Kind.ORDER, letter + " is executed after number " + before);
        }
        if (!entity.mayRun()) {
            throw new Violation(
                    Kind.NO_LEASE, letter + " is given to an entity on " + entity.loop + " without a lease");
        }
        if (!entity.token.equals(newest.get(letter.entity()))) {
            throw new Violation(
                    Kind.TOKEN,
                    letter + " is given to an instance under " + entity.token + " after one began under "
                            + newest.get(letter.entity()));
        }
    }

    /** The lane on which it was sent has not refused it at once. */
    void sent(Letter letter) {
        Fate fate = fates.get((int) letter.id());
        fate.accepted = !fate.ended;
    }

    /** An entity has done its work, under its lease or after it. */
    void finished(Letter letter, boolean leased) {
        fates.get((int) letter.id()).outlived = !leased;
    }

    /** The message got its answer or its failure. */
    void ended(Letter letter, @Nullable FailureCode code) {
        Fate fate = fates.get((int) letter.id());
        if (fate.ended && !(isUnheard(fate, code) || isUnheard(fate, fate.code))) {
            throw new Violation(Kind.WRONG_END, letter + " ends with " + code + " after it ended with " + fate.code);
        }
        fate.ended = true;
        fate.code = code;
        if (code == null && !fate.handed) {
            throw new Violation(Kind.WRONG_END, letter + " was answered and never executed");
        }
        boolean isStoreFull = world.options().remembering;
        if (code == FailureCode.REGION_BUFFER_FULL && fate.accepted && !isStoreFull) {
            throw new Violation(Kind.BUFFER, letter + " is refused after a buffer had accepted it");
        }
        if (fate.outlived && fate.ask && (code == null || code == FailureCode.ENTITY_FAILED)) {
            throw new Violation(Kind.NO_LEASE, letter + " was answered by an instance without a lease: " + code);
        }
        if (code != null && NOT_EXECUTED.contains(code) && fate.handed) {
            throw new Violation(Kind.WRONG_END, letter + " fails with " + code + " though it was executed");
        }
        if (code != null && world.options().plannedOnly && !fate.late) {
            throw new Violation(Kind.PLANNED_FAILURE, letter + " fails with " + code + " though moves were planned");
        }
    }

    /** A tell that failed at its home, while the sender never heard that it had arrived, is reported by both. */
    private static boolean isUnheard(Fate fate, @Nullable FailureCode code) {
        return !fate.ask && !fate.reached.isEmpty() && code == FailureCode.OUTCOME_UNKNOWN;
    }

    /** An instance begins to be. */
    long begins(SimEntity entity) {
        if (!entity.mayRun()) {
            throw new Violation(
                    Kind.NO_LEASE, "entity " + entity.id() + " starts on " + entity.loop + " without a lease");
        }
        world.idStore().mustHave(entity.id());
        NodeId elsewhere = places.put(
                new Place(world.typeOf(entity.id()), world.shardOf(entity.id()), entity.token), entity.loop.node.id);
        if (elsewhere != null && !elsewhere.equals(entity.loop.node.id)) {
            throw new Violation(Kind.TOKEN, entity.token + " was used on " + elsewhere + " and on " + entity.loop);
        }
        FencingToken before = newest.put(entity.id(), entity.token);
        if (before != null && before.isNewerThan(entity.token)) {
            throw new Violation(
                    Kind.TOKEN, "entity " + entity.id() + " starts under " + entity.token + " after " + before);
        }
        if (entity.token.term() <= storedBefore) {
            throw new Violation(Kind.TOKEN, "the store refuses " + entity.token + " after term " + storedBefore);
        }
        highestTerm = Math.max(highestTerm, entity.token.term());
        Set<Long> others = liveOf.computeIfAbsent(entity.id(), id -> new HashSet<>());
        for (long other : others) {
            refuseSecond(entity, live.get(other));
        }
        long number = ++instances;
        live.put(number, new Instance(entity, entity.loop));
        others.add(number);
        return number;
    }

    /** Whether an instance is there that has a lease. */
    boolean isLive(String entity) {
        return liveOf.getOrDefault(entity, Set.of()).stream()
                .anyMatch(instance -> live.get(instance).code().mayRun());
    }

    /** An instance did not stop in its time. */
    void stopsByForce() {
        forcedStops++;
    }

    int forcedStops() {
        return forcedStops;
    }

    /** The instances on a node. */
    int live(SimNode node) {
        return (int) live.values().stream()
                .filter(instance -> instance.loop().node == node)
                .count();
    }

    private void refuseSecond(SimEntity entity, Instance other) {
        if (other.code().mayRun() || other.loop().node == entity.loop.node) {
            throw new Violation(
                    Kind.LIVE_TWICE,
                    "entity " + entity.id() + " starts on " + entity.loop + " while it is live on " + other.loop());
        }
    }

    /** The instance is no more, though its code may still be on a thread. */
    void ends(long instance, boolean codeRuns) {
        if (!codeRuns) {
            codeEnds(instance);
        }
    }

    void codeEnds(long instance) {
        Instance ended = live.remove(instance);
        if (ended != null) {
            liveOf.get(ended.entity()).remove(instance);
        }
    }

    void nodeDied(SimNode node, boolean crash) {
        for (Map.Entry<Long, Instance> entry : List.copyOf(live.entrySet())) {
            if (entry.getValue().loop().node == node) {
                if (!crash) {
                    throw new Violation(
                            Kind.LIVE_TWICE, entry.getValue() + " is live on a node that left in good order");
                }
                codeEnds(entry.getKey());
            }
        }
        if (crash) {
            crashed.add(node.id);
        }
    }

    /** All entities of a region have ended. */
    void regionEnded(Hosting hosting) {
        live.values().stream()
                .filter(instance -> instance.loop().hosting == hosting)
                .findFirst()
                .ifPresent(found -> {
                    throw new Violation(Kind.LIVE_TWICE, found + " is live in a region that has ended");
                });
    }

    /** Once all is quiet: every message must have come to an end. */
    void checkEnds() {
        for (Fate fate : fates) {
            if (isOpen(fate)) {
                throw new Violation(
                        Kind.LOST,
                        fate.letter + " from " + fate.sender + " was lost without a word; it reached " + fate.reached
                                + (fate.handed ? " and was executed" : ""));
            }
            if (world.options().plannedOnly && !fate.handed && !fate.late) {
                throw new Violation(
                        Kind.PLANNED_FAILURE,
                        fate.letter + " was not executed though moves were planned, ended with " + fate.code);
            }
        }
    }

    /** Whether a message is still to come to its end. */
    private boolean isOpen(Fate fate) {
        boolean excused =
                crashed.contains(fate.sender.id) || fate.reached.stream().anyMatch(crashed::contains);
        boolean open = fate.ask ? !fate.ended : !fate.ended && !fate.handed;
        boolean askerLeft = fate.ask && fate.sender.isGone() && (fate.handed || !world.options().plannedOnly);
        return open && !excused && !askerLeft;
    }

    /**
     * Whether every message has come to its end; what a node that has left sent may still wait in a mailbox. The work
     * of a tell may take longer than a fresh ask that waits behind it. Behind an instance that does not obey its stop,
     * asks of more nodes than a small mailbox has places wait until it is forced, and the last of them are refused.
     */
    boolean isQuiet() {
        if (live.values().stream().anyMatch(Instance::isInHand)) {
            return false;
        }
        for (Fate fate : fates) {
            if (isOpen(fate)) {
                return false;
            }
            if (!fate.ended
                    && !fate.sender.isGone()
                    && (fate.ask || !fate.handed && fate.reached.stream().noneMatch(crashed::contains))) {
                return false;
            }
        }
        return true;
    }

    /** The messages of a node whose end was not observed. */
    List<Letter> open(SimNode sender) {
        return fates.stream()
                .filter(fate -> fate.sender == sender && !fate.ended && !fate.handed)
                .map(fate -> fate.letter)
                .toList();
    }

    long count(FailureCode code) {
        return fates.stream().filter(fate -> fate.code == code).count();
    }
}
