package io.shardbus.simulation;

import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.RegionCommand;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import io.shardbus.simulation.Violation.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules that others back up: who breaks one of them alone does no harm to an entity in most runs. So they are looked at
 * where they show: in what is written to the term record, and in what coordinators and regions say to each other.
 */
final class Rules {
    /** What clocks may differ in a lease time. */
    private static final double DRIFT = 1.05;
    /**
     * How many times faster than the time terms may rise: confirmations that are sent early count as if they were not.
     */
    private static final long TERM_PACE = 10;

    /** By how much terms rise at once where a clock or a store is wrong, in milliseconds. */
    private static final long DAY = 86_400_000;

    /** How far ahead of the wall clocks a made-up term is believed. */
    private static final long BELIEVED_AHEAD = DAY + 60_000;

    /** A claim is exceeded by the next one of its node, if it may have taken hold and was no further ahead. */
    private static final long TRIED_AHEAD = 2 * DAY;

    /** While the cluster stops, a record that was given up stays vacant for so much of a lease. */
    private static final double VACANT = 0.6;

    private record Home(String type, int shard, FencingToken token, NodeId node) {}

    /** The shards of a node whose death a coordinator has heard of, and when it did, by the coordinator's clock. */
    private record Estate(long since, List<Home> homes) {}

    private record Answered(NodeId node, String type, long attempt, long heartbeat) {}

    private final Simulation world;
    private final Map<TermRecord, Long> tookHold = new HashMap<>();
    private final Map<NodeId, Long> undecidedUntil = new HashMap<>();
    private final Set<Home> hosted = new HashSet<>();
    /** The types whose shards may have homes: as many regions as they wait for have been there. */
    private final Map<String, Long> begun = new HashMap<>();
    /** How many messages had been sent when a type began. */
    private final Map<String, Integer> lettersBefore = new HashMap<>();

    private final Map<TermId, Long> vacant = new HashMap<>();
    /** The first term, or one from which they rise no faster after a clock or a store was wrong; 0 before. */
    private long begunAt;
    /** What that was when the term was claimed, or an earlier claim of the same node that it exceeds. */
    private final Map<TermId, Long> begunBefore = new HashMap<>();
    /** The last claim of a node. */
    private final Map<NodeId, Long> tried = new HashMap<>();
    /** The first term that took hold since no process knew one; 0 before. */
    private long firstTerm;
    /** The nodes that have claimed by a wall clock that is far ahead. */
    private final Set<NodeId> hasty = new HashSet<>();

    Rules(Simulation world) {
        this.world = world;
    }

    void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Violation(Kind.RULE, otherwise);
        }
    }

    /**
     * A region that loses its lease does not wait for its code: it registers again at once. One that is to end stops,
     * and waits for no coordinator.
     */
    void losesLease(Hosting region, List<RegionCommand> commands) {
        if (!commands.contains(new RegionCommand.StopAll(StopReason.LEASE_LOST))) {
            return;
        }
        boolean mayRegister = !region.region().term().equals(TermId.NONE);
        check(
                !mayRegister || commands.stream().anyMatch(Rules::isRegistration),
                region.node + " does not register again: " + commands);
        check(
                !region.isEnding() || commands.contains(new RegionCommand.StopAll(StopReason.SHUTDOWN)),
                "a region on " + region.node + " that is to end goes on without a lease: " + commands);
    }

    private static boolean isRegistration(RegionCommand command) {
        return command instanceof RegionCommand.Send send && send.message() instanceof ToCoordinator.Register;
    }

    /** All processes were stopped: the next record is the first of another cluster. */
    void allStopped() {
        begunAt = 0;
        firstTerm = 0;
        tried.clear();
        begun.clear();
        lettersBefore.clear();
    }

    /**
     * Whether the type has had the hosts for which it waits for a while, and what had waited for them is delivered.
     * Where all moves are planned it has been taken up by its entities, too: a region that leaves waits a lease for
     * answers, and entities may be at work on what has come in many seconds for longer.
     */
    boolean hasBegun(SimType type) {
        Long since = begun.get(type.name());
        return since != null
                && world.scheduler().now() - since > world.options().lease
                && !(world.options().plannedOnly && world.ledger().hasBacklog(type, lettersBefore.get(type.name())));
    }

    /** Whether no shard of the type has had a home before. */
    private boolean begins(SimType type) {
        lettersBefore.putIfAbsent(type.name(), world.ledger().letters());
        return begun.putIfAbsent(type.name(), world.scheduler().now()) == null;
    }

    /** After each event: a higher term has ended the node's reign, and the regions of a stopped node have stopped. */
    void holds(SimNode node, TermId reign, boolean stopped) {
        check(
                !node.knownTerm().isHigherThan(reign),
                node + " reigns on in " + reign + ", known is " + node.knownTerm());
        for (Hosting hosting : stopped ? node.regions.added() : List.<Hosting>of()) {
            check(
                    hosting.region().status() != RegionStatus.REGISTERED,
                    "the region on " + node + ", which has stopped, is registered");
        }
    }

    /**
     * A reign ends in good order while the whole cluster stops. One that was too short for all regions to renew their
     * leases does not count: the record has been vacant since the end of the one before.
     */
    void leftVacant(Reign ended, boolean tooShort) {
        Long since = tooShort
                ? vacant.get(ended.begin().predecessor())
                : Long.valueOf(world.scheduler().now());
        if (since != null) {
            vacant.put(ended.term(), since);
        }
    }

    /**
     * A reign begins: where the whole cluster stops, those that leave soon see none. Where it is known who reigned
     * before, no clock counts for more than the record says, or than an earlier claim of the same node.
     */
    void follows(SimNode node, TermId term, TermId predecessor) {
        if (!predecessor.equals(TermId.NONE) && world.options().storeAhead == 0) {
            long first = Math.max(begunBefore.getOrDefault(term, 0L), predecessor.number());
            isInPace(term.number(), Math.max(first, believed()));
        }
        Long since = vacant.get(predecessor);
        if (since != null && node.control.machine().isClusterStopping()) {
            long after = world.scheduler().now() - since;
            check(
                    after >= VACANT * node.times.lease(),
                    node + " takes over " + after + " ms after " + predecessor + " while the cluster stops");
        }
    }

    /** The first term of all is that of its claimant's clock; no other one is further ahead than is said here. */
    private void claims(SimNode node, TermRecord claim) {
        boolean mayBeAhead = world.options().wrongClocks || world.options().storeAhead > 0;
        long before = tried.getOrDefault(node.id, 0L);
        if (world.alive().stream().allMatch(each -> each.knownTerm().equals(TermId.NONE))) {
            // each process that knew one has been started anew
            begunAt = 0;
            firstTerm = 0;
        }
        if (node.clocks.wall() > NodeClocks.EPOCH + world.scheduler().now() + DAY) {
            hasty.add(node.id);
        }
        if (firstTerm != 0 && hasty.size() <= 1) {
            // one wrong clock moves terms by a day in all, however many of its claims took hold
            isInPace(claim.term(), Math.max(firstTerm + (mayBeAhead ? DAY : 0), believed()));
        }
        if (begunAt != 0) {
            long exceeded = before <= begunAt + TRIED_AHEAD + pace() ? before : 0;
            long ahead = Math.max(begunAt + (mayBeAhead ? DAY : 0), believed());
            isInPace(claim.term(), Math.max(ahead, exceeded));
            begunBefore.putIfAbsent(claim.termId(), Math.max(begunAt, exceeded));
        }
        tried.put(node.id, claim.term());
    }

    /** Up to where a made-up term may take the terms. */
    private long believed() {
        return world.options().intruder ? NodeClocks.EPOCH + world.scheduler().now() + BELIEVED_AHEAD : 0;
    }

    void tookHold(TermRecord record) {
        tookHold.putIfAbsent(record, world.scheduler().now());
        firstTerm = firstTerm == 0 ? record.term() : firstTerm;
        begunAt = begunAt == 0 ? record.term() : Math.max(begunAt, record.term() - pace());
    }

    private long pace() {
        return TERM_PACE * (world.scheduler().now() + world.options().lease);
    }

    private void isInPace(long term, long first) {
        check(term <= first + pace(), "terms run away from the first one, " + first + ", by " + term);
    }

    /** A member has vanished without goodbye. */
    void lost(SimNode node) {
        undecidedUntil.put(node.id, node.clock() + node.times.decision());
    }

    /** All who have vanished are dead. */
    void explained(SimNode node) {
        undecidedUntil.remove(node.id);
    }

    /**
     * No node claims while it is undecided who is lost, nor over a member that has written within a lease time, by the
     * view that its control plane has: another event may come just before the next one. Where a minority may go on,
     * none confirms its term either until the loss is decided.
     */
    void writes(SimNode node, ElectionCommand.Replace write) {
        boolean claims = write.next().beat() == 0;
        boolean alsoConfirms =
                node.rule.decides() && node.rule.strategy(world.options().nodes).overridesMajority();
        check(
                write.next().isReleased()
                        || !(claims || alsoConfirms)
                        || !node.control.machine().isUndecided(),
                node + " writes the record while the loss of a node is undecided: " + write.next());
        if (!claims) {
            return;
        }
        claims(node, write.next());
        check(
                node.clock() >= undecidedUntil.getOrDefault(node.id, Long.MIN_VALUE),
                node + " claims while it is undecided who is lost");
        TermRecord before = write.expected();
        boolean vacant = before == null
                || before.isReleased()
                || before.owner().equals(node.id)
                || !node.control.machine().members().contains(before.owner());
        long still = world.scheduler().now() - tookHold.getOrDefault(before, 0L);
        long lease = before == null ? 0 : Math.max(node.times.lease(), before.leaseMillis());
        check(vacant || still * DRIFT >= lease, node + " claims over a living owner: " + before);
    }

    /** Who reigned when two sides of the cluster met begins anew. */
    void merged(SimNode node, boolean merged) {
        check(!merged || node.control.machine().reign() == null, node + " reigns on after a merge");
    }

    /** A shard is about to be at home at a region. */
    void hosts(Hosting home, int shard, FencingToken token) {
        SimNode node = home.node;
        check(home.region().hasLease(node.clock()), node + " takes shard " + shard + " without a lease");
        check(!home.isProxy(), node + " takes shard " + shard + " and only sends to the type");
        hosted.add(new Home(home.type.name(), shard, token, node.id));
        for (SimNode other : world.alive()) {
            Hosting theirs = other == node ? null : other.regions.of(home.type.name());
            boolean has = theirs != null
                    && theirs.region().hosted().containsKey(shard)
                    && theirs.region().hasLease(other.clock());
            if (has) {
                throw new Violation(
                        Kind.LIVE_TWICE,
                        "shard " + shard + " is given to " + node + " while it is at home at " + other);
            }
        }
    }

    /** What a region does when it has heard something; the attempt is that of its last registration. */
    void obeys(Hosting region, TermId term, ToRegion message, long attempt, List<RegionCommand> commands) {
        boolean voided = !term.equals(region.region().term())
                || message instanceof ToRegion.LeaseGranted grant && grant.attempt() != attempt;
        if (voided) {
            commands.forEach(command -> check(!isObedient(command), region.node + " obeys " + message + " of " + term));
        }
    }

    private static boolean isObedient(RegionCommand command) {
        return command instanceof RegionCommand.HostShard
                || command instanceof RegionCommand.DropShard
                || command instanceof RegionCommand.ShowHomes
                || command instanceof RegionCommand.ForwardHandoff
                || command instanceof RegionCommand.AbortHandoff
                || command instanceof RegionCommand.ExtendLease;
    }

    /** One reign, and what its coordinator may say. */
    final class Word {
        private final SimNode node;
        private final TermId term;
        private final Map<String, Long> mostHosts = new HashMap<>();
        /** The regions, by their types, that drained nodes had when they were drained, or have had first since. */
        private final Map<NodeId, Map<String, Hosting>> drained = new HashMap<>();

        private StandingOrders followed = StandingOrders.NONE;
        private final Set<FencingToken> given = new HashSet<>();
        private final Map<NodeId, Estate> estates = new HashMap<>();
        /** When each heartbeat that is granted was answered first, and the end of the leases of a node's regions. */
        private final Map<Answered, Long> answers = new HashMap<>();

        private final Map<NodeId, Long> leaseEnds = new HashMap<>();
        private long confirmSent;
        /** Whether the confirmation came with the present event. */
        private boolean justConfirmed;

        Word(SimNode node, TermId term, long confirmSent) {
            this.node = node;
            this.term = term;
            this.confirmSent = confirmSent;
        }

        long confirmSent() {
            return confirmSent;
        }

        /** From now on the node gets no shards, or may have some again. */
        private void drains(NodeId region, boolean wanted) {
            if (wanted) {
                drains(region, world.types().stream().map(SimType::name).collect(Collectors.toSet()));
            } else {
                drained.remove(region);
            }
        }

        private void drains(NodeId region, Set<String> types) {
            SimNode present = world.node(region);
            if (present != null && !drained.containsKey(region)) {
                Map<String, Hosting> regions = new HashMap<>();
                present.regions.all().stream()
                        .filter(hosting -> types.contains(hosting.type.name()))
                        .forEach(hosting -> regions.put(hosting.type.name(), hosting));
                drained.put(region, regions);
            }
        }

        /** It knows that these orders stand. */
        void follows(StandingOrders stand) {
            Set<NodeId> wanted = stand.drained("");
            Set<NodeId> before = Set.copyOf(drained.keySet());
            before.stream().filter(each -> !wanted.contains(each)).forEach(each -> drains(each, false));
            wanted.forEach(each -> drains(each, typesOf(each, stand)));
            followed = stand;
        }

        /** The types for which the drain stands: it ended for one whose drained region has ended. */
        private Set<String> typesOf(NodeId region, StandingOrders stand) {
            return world.types().stream()
                    .map(SimType::name)
                    .filter(type -> stand.drained(type).contains(region))
                    .collect(Collectors.toSet());
        }

        /**
         * The process of a node is gone: what it had stays where it is until the term is confirmed once more, or was
         * confirmed after the end of its leases.
         */
        void dies(NodeId dead) {
            List<Home> homes = world.types().stream()
                    .flatMap(type -> homesOf(type.name(), dead))
                    .toList();
            estates.put(dead, new Estate(node.clock(), homes));
        }

        private Stream<Home> homesOf(String type, NodeId home) {
            Coordinator coordinator = node.control.coordinator(type);
            return coordinator == null
                    ? Stream.of()
                    : coordinator.inspect(node.clock()).rows().stream()
                            .filter(row -> row.home().equals(home) && row.confirmed() && row.handoff() == null)
                            .map(row -> new Home(type, row.shard(), row.token(), home));
        }

        /** After each event of the coordinator. What a dead node had said before may arrive late. */
        void keepsWhatTheDeadHad() {
            estates.entrySet()
                    .removeIf(estate -> confirmSent >= estate.getValue().since()
                            || confirmSent >= leasesOver(estate.getKey())
                            || node.control.machine().members().contains(estate.getKey())
                            || world.network().isStalled());
            estates.forEach((dead, estate) -> {
                Set<Home> kept = new HashSet<>();
                world.types().forEach(type -> homesOf(type.name(), dead).forEach(kept::add));
                check(
                        node.control.machine().reign() == null || kept.containsAll(estate.homes()),
                        node + " frees shards of " + dead + ", which died, before its term is confirmed again");
            });
        }

        private long leasesOver(NodeId dead) {
            return leaseEnds.getOrDefault(dead, Long.MAX_VALUE - node.times.margin()) + node.times.margin();
        }

        private void grants(NodeId to, SimType type, ToRegion.LeaseGranted granted) {
            long first = answers.computeIfAbsent(
                    new Answered(to, type.name(), granted.attempt(), granted.heartbeat()), answered -> node.clock());
            leaseEnds.merge(to, first + granted.millis(), Math::max);
        }

        void nextEvent() {
            justConfirmed = false;
        }

        void confirmed(long sentAt) {
            confirmSent = Math.max(confirmSent, sentAt);
            justConfirmed = true;
        }

        /**
         * It speaks while it has authority and its node knows of no higher term, grants to members, and shows who is
         * home.
         */
        void says(Set<NodeId> members, NodeId to, SimType type, ToRegion message) {
            boolean authority = node.clock() < confirmSent + node.times.lease();
            check(
                    authority || justConfirmed,
                    node + " says " + message + " to " + to + " after its authority has ended");
            check(
                    !node.knownTerm().isHigherThan(term),
                    node + " says " + message + " of " + term + " in a higher term");
            countHosts(type, message);
            checkMoves(to, type, message);
            if (message instanceof ToRegion.LeaseGranted granted) {
                check(members.contains(to), node + " grants a lease to " + to + ", which is not among " + members);
                grants(to, type, granted);
            } else if (message instanceof ToRegion.ShardHomes shown) {
                shown.homes()
                        .forEach(home ->
                                check(isHosted(type, home), node + " shows a home that has not confirmed: " + home));
            }
        }

        /**
         * Nothing new comes to a drained node. Nothing begins to move while the whole cluster stops, nor while shards
         * get no homes.
         */
        private void checkMoves(NodeId to, SimType type, ToRegion message) {
            SimNode region = world.node(to);
            Hosting present = region == null ? null : region.regions.of(type.name());
            Map<String, Hosting> drainedRegions = drained.getOrDefault(to, new HashMap<>());
            if (message instanceof ToRegion.Registered && present != null && !isExcepted(to, type)) {
                drainedRegions.putIfAbsent(type.name(), present);
            } else if (message instanceof ToRegion.HostShard host && given.add(host.token())) {
                boolean isDrained = present != null && drainedRegions.get(type.name()) == present;
                check(!isDrained, node + " gives " + message + " to " + to + ", which is drained");
            } else if (message instanceof ToRegion.BeginHandoff handoff && given.add(handoff.version())) {
                boolean mayMove =
                        !hasBegun(type, handoff) || !node.control.machine().isClusterStopping();
                check(mayMove, node + " begins a move while all stops: " + message);
                check(mayMove(type, handoff), node + " begins a move before shards may have homes: " + message);
            }
        }

        /**
         * Whether this reign has begun the handoff: for a shard that was stopped for an earlier reign it has the
         * senders drained, and begins none.
         */
        private boolean hasBegun(SimType type, ToRegion.BeginHandoff handoff) {
            Coordinator coordinator = node.control.coordinator(type.name());
            return coordinator != null
                    && coordinator
                            .inspect(node.clock())
                            .row(handoff.shard())
                            .filter(row -> handoff.version().equals(row.handoff()))
                            .isPresent();
        }

        /** A region that leaves does not wait for the standing orders. */
        private boolean mayMove(SimType type, ToRegion.BeginHandoff handoff) {
            Coordinator coordinator = node.control.coordinator(type.name());
            Reign reign = node.control.machine().reign();
            if (coordinator == null || reign == null) {
                return true;
            }
            CoordinatorView view = coordinator.inspect(node.clock());
            boolean leaves = view.regions().stream()
                    .anyMatch(region -> region.node().equals(handoff.home()) && region.leaving());
            return !hasBegun(type, handoff) || coordinator.isOpen() && (reign.knowsOrders() || leaves);
        }

        private boolean isExcepted(NodeId region, SimType type) {
            return followed.drained("").contains(region)
                    && !followed.drained(type.name()).contains(region);
        }

        /** No type begins before as many regions host it as it waits for. */
        private void countHosts(SimType type, ToRegion message) {
            Coordinator coordinator = node.control.coordinator(type.name());
            if (message instanceof ToRegion.Registered && coordinator != null) {
                long hosts = coordinator.inspect(node.clock()).regions().stream()
                        .filter(region -> !region.proxy() && !region.gone())
                        .count();
                mostHosts.merge(type.name(), hosts, Math::max);
            }
            boolean begins = message instanceof ToRegion.HostShard
                    || message instanceof ToRegion.LeaseGranted grant && grant.founded();
            if (begins && begins(type) && type.minimumMembers() > 1) {
                long hosts = mostHosts.getOrDefault(type.name(), 0L);
                check(
                        hosts >= type.minimumMembers(),
                        node + " begins " + type.name() + " with " + hosts + " of " + type.minimumMembers()
                                + " hosting regions");
            }
        }

        private boolean isHosted(SimType type, ShardHome home) {
            return hosted.contains(new Home(type.name(), home.shard(), home.token(), home.home()));
        }
    }
}
