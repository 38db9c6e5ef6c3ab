package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The registered regions of a type, their attempts and their leases. */
final class Registrations {
    private final ShardTable table;
    private final LeaseTimes times;
    private final List<CoordinatorCommand> commands;
    private final Placement placement;
    private final Set<NodeId> goodbyes = new HashSet<>();
    private @Nullable RegionProfile profile;
    /**
     * Whether as many hosting regions as the type wants have been there at one time, in this reign or in one before.
     */
    private boolean membersSeen;
    /**
     * Whether the profile is that of shards that run, or ran; until then it is that of the first region that has
     * spoken.
     */
    private boolean settled;
    /** Whether shards may have homes: told to the regions, which tell the next reign. */
    private boolean founded;

    private int reportedMissing;

    Registrations(ShardTable table, LeaseTimes times, List<CoordinatorCommand> commands, Placement placement) {
        this.table = table;
        this.times = times;
        this.commands = commands;
        this.placement = placement;
    }

    /** The part of the profile that all regions have in common; null before the first has registered. */
    @Nullable
    RegionProfile profile() {
        return profile;
    }

    /**
     * The number of the type's shards; as long as the profile may be that of a newcomer which spoke first, the largest
     * that a type can have.
     */
    int mostShards() {
        RegionProfile known = profile;
        return settled && known != null ? known.numberOfShards() : RegionProfile.MOST_SHARDS;
    }

    /** The session if the message is of its registration and it is not given up. */
    @Nullable
    Session current(NodeId node, long attempt) {
        Session session = table.session(node);
        return session != null && session.attempt == attempt && !session.gone ? session : null;
    }

    /**
     * Whether as many hosting regions as the type wants have been there at one time; a shard with a home says that they
     * were.
     */
    boolean enoughMembers() {
        RegionProfile known = profile;
        membersSeen |= !table.assignments().isEmpty();
        membersSeen |= known != null && table.hostingSessions() >= known.minimumMembers();
        return membersSeen;
    }

    /**
     * Number of hosting regions that are missing before the type's first shard is assigned; 0 once they have been
     * there, and where one is enough.
     */
    int missingMembers() {
        RegionProfile known = profile;
        return known == null || known.minimumMembers() <= 1 || enoughMembers()
                ? 0
                : known.minimumMembers() - table.hostingSessions();
    }

    /** Tells the operator, once for each number of regions, what the messages wait for. */
    void reportMissing() {
        int missing = missingMembers();
        RegionProfile known = profile;
        if (known != null && missing != reportedMissing) {
            reportedMissing = missing;
            String text = table.hostingSessions() + " of minimumMembers " + known.minimumMembers()
                    + " are here: messages wait until " + missing
                    + (missing == 1 ? " more node hosts the type" : " more nodes host the type")
                    + "; start it there, or lower its minimum";
            commands.add(new CoordinatorCommand.Report(true, text));
        }
    }

    /**
     * Earlier leases are over and the regions are there: from now on shards may have homes, in this reign and in those
     * after it.
     */
    void found(long authorityEnd) {
        if (!founded) {
            settled = true;
            founded = true;
            table.sessions().forEach(session -> grant(session, authorityEnd));
        }
    }

    boolean saidGoodbye(NodeId node) {
        return goodbyes.contains(node);
    }

    /** @param open whether the reign awaits no leases of earlier ones any more */
    void goodbye(NodeId node, long attempt, boolean open) {
        if (open) {
            goodbyes.clear();
        } else {
            goodbyes.add(node);
        }
        table.endDrain(node, attempt);
    }

    /** Takes a registration, and returns the shards that the region had by the table and does not list. */
    List<Assignment> register(NodeId from, Register message, Authority authority, long now) {
        int shards = message.profile().numberOfShards();
        if (shards < 1 || shards > RegionProfile.MOST_SHARDS) {
            commands.add(new CoordinatorCommand.Refuse("the region on " + from + " has " + shards + " shards"));
            return List.of();
        }
        long authorityEnd = authority.end();
        String unfit = unfit(message.profile());
        boolean settles = !settled && (message.founded() || hasShards(message));
        if (unfit != null && !settles && !settled && !authority.isOpen()) {
            // neither may be the cluster's: its regions have not spoken yet, and this one repeats its registration
            return List.of();
        }
        if (unfit != null && !settles) {
            send(from, new ToRegion.Refused(message.attempt(), unfit));
            commands.add(new CoordinatorCommand.Report(true, "region on " + from + " refused: " + unfit));
            return List.of();
        }
        Session before = table.session(from);
        if (before != null && message.attempt() < before.attempt) {
            return List.of();
        }
        if (settles) {
            settle(message);
        }
        if (before != null && message.attempt() == before.attempt) {
            if (!before.gone) {
                answer(before, message, authorityEnd, now);
            }
            return List.of();
        }
        List<Assignment> unlisted = replace(before, from, message, authorityEnd, now);
        if (settles) {
            sendBackUnfit();
        }
        return unlisted;
    }

    private static boolean hasShards(Register message) {
        return !message.profile().proxy() && !message.shards().isEmpty();
    }

    /** A region that runs shards, or may, knows what the cluster is like; a newcomer that spoke first does not. */
    private void settle(Register message) {
        settled = true;
        membersSeen |= message.founded();
        profile = message.profile();
    }

    /** They registered before the profile was settled: registering again, each is refused with the reason. */
    private void sendBackUnfit() {
        for (Session session : List.copyOf(table.sessions())) {
            if (unfit(session.profile) != null) {
                // it has no shards: those that had any have settled the profile
                table.removeSession(session.node);
                send(session.node, new ToRegion.RegisterAgain(session.attempt));
            }
        }
    }

    private List<Assignment> replace(
            @Nullable Session before, NodeId from, Register message, long authorityEnd, long now) {
        List<Assignment> had = before == null ? List.of() : table.assignmentsOf(before);
        Session session = new Session(from, message.attempt(), message.profile());
        if (before != null) {
            session.again = true;
            session.grantEnd = before.grantEnd;
            session.leaving = before.leaving && ToCoordinator.areOfOneRegion(before.attempt, session.attempt);
        }
        table.addSession(session);
        session.kept = keep(session, message.shards());
        placement.registered(session);
        List<Assignment> unlisted = new ArrayList<>();
        for (Assignment assignment : had) {
            if (session.kept.contains(assignment.shard)) {
                session.shards.add(assignment.shard);
            } else if (isListed(assignment, message.ending()) && now < endsBy(assignment, session, now)) {
                session.shards.add(assignment.shard);
                table.endsBy(assignment, endsBy(assignment, session, now));
            } else {
                unlisted.add(assignment);
            }
        }
        answer(session, message, authorityEnd, now);
        return unlisted;
    }

    /**
     * The region has said that it has no lease any more, so the shard may have another home at once. Its code mostly
     * ends soon, and is waited for: as long as its lease would have lasted, and a quarter of a lease at most.
     */
    private long endsBy(Assignment assignment, Session session, long now) {
        return assignment.isEnding()
                ? assignment.endingUntil
                : Math.min(session.grantEnd, now + times.lease() / 4) + times.margin();
    }

    static boolean isListed(Assignment assignment, List<ShardReport> reports) {
        return reports.contains(new ShardReport(assignment.shard, assignment.token));
    }

    private Set<Integer> keep(Session session, List<ShardReport> reports) {
        Set<Integer> kept = new LinkedHashSet<>();
        for (ShardReport report : reports) {
            if (!table.isPossible(report, session.profile.numberOfShards())) {
                continue;
            }
            Assignment present = table.assignment(report.shard());
            if (present != null && report.token().isNewerThan(present.token)) {
                table.outrank(present);
            }
            if (present == null && !session.profile.proxy()) {
                Assignment reported = new Assignment(report.shard(), session.node, report.token(), table.nextToken());
                table.assign(reported);
                placement.settled(reported);
            }
            if (table.isHome(report.shard(), session.node, report.token())) {
                kept.add(report.shard());
            }
        }
        return kept;
    }

    private void answer(Session session, Register message, long authorityEnd, long now) {
        session.heard(message.heartbeat(), now);
        if (message.heartbeat() == session.heartbeat) {
            session.ending(message.ending());
        }
        table.knowStatesLost(message.statesLost());
        send(session.node, new ToRegion.Registered(session.attempt, session.kept));
        grant(session, authorityEnd);
    }

    /** Answers the newest heartbeat: the lease runs from it, and never longer than the coordinator's own authority. */
    void grant(Session session, long authorityEnd) {
        long millis = Math.min(times.lease(), authorityEnd - session.heartbeatAt);
        if (!session.gone && millis > 0) {
            session.grantEnd = Math.max(session.grantEnd, session.heartbeatAt + millis);
            send(
                    session.node,
                    new ToRegion.LeaseGranted(session.attempt, session.heartbeat, millis, founded, table.statesLost()));
        }
    }

    /** The option that a new region must change to fit the others; null if it fits. */
    private @Nullable String unfit(RegionProfile candidate) {
        RegionProfile known = profile;
        if (known == null) {
            profile = candidate;
            return null;
        }
        if (known.numberOfShards() != candidate.numberOfShards()) {
            return "numberOfShards is " + candidate.numberOfShards() + " here and " + known.numberOfShards()
                    + " in the cluster: set it to " + known.numberOfShards() + ", or stop all nodes to change it";
        }
        String role = candidate.role();
        if (role != null && known.role() != null && !role.equals(known.role())) {
            return "the role is " + shown(role) + " here and " + shown(known.role())
                    + " in the cluster: define the type alike on all nodes, or stop all nodes to change it";
        }
        if (!known.extractorVersion().equals(candidate.extractorVersion())) {
            return "the message extractor's version is '" + candidate.extractorVersion() + "' here and '"
                    + known.extractorVersion()
                    + "' in the cluster: use the same extractor, or stop all nodes to change it";
        }
        String splitBrain = candidate.safety().splitBrain();
        if (!known.safety().splitBrain().equals(splitBrain)) {
            return "splitBrain is '" + splitBrain + "' here and '"
                    + known.safety().splitBrain() + "' in the cluster: set the same, or stop all nodes to change it";
        }
        if (!known.safety().equals(candidate.safety())) {
            return "leaseDurationMs is " + candidate.safety().leaseMillis() + " here and "
                    + known.safety().leaseMillis() + " in the cluster: set the same, or stop all nodes to change it";
        }
        if (known.memory().remembers() != candidate.memory().remembers()) {
            return "rememberEntities is " + candidate.memory().remembers() + " here and "
                    + known.memory().remembers()
                    + " in the cluster: define the type alike on all nodes, or stop all nodes to change it";
        }
        if (!known.memory().equals(candidate.memory())) {
            return "stateStoreMode is '" + candidate.memory().store() + "' here and '"
                    + known.memory().store()
                    + "' in the cluster: set the same, or stop all nodes to change it";
        }
        String store = anotherStore(known, candidate);
        if (store != null) {
            return store;
        }
        if (known.role() == null && role != null || known.persistence() == null && candidate.persistence() != null) {
            profile = candidate;
        }
        return null;
    }

    /** The store that the region must use instead of its own; null if it has the same, or one of both does not say. */
    private static @Nullable String anotherStore(RegionProfile known, RegionProfile candidate) {
        SharedStore here = candidate.persistence();
        SharedStore there = known.persistence();
        return here == null || there == null || here.id().equals(there.id())
                ? null
                : "the entities are stored in " + here.name() + " (id " + here.id() + ") here and in " + there.name()
                        + " (id " + there.id() + ") in the cluster: give all nodes the same store, a database that each"
                        + " of them reaches";
    }

    private static String shown(String role) {
        return role.isEmpty() ? "none" : "'" + role + "'";
    }

    private void send(NodeId to, ToRegion message) {
        commands.add(new CoordinatorCommand.Send(to, message));
    }
}
