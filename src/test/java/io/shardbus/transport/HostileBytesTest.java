package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Election;
import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.ElectionView;
import io.shardbus.core.control.Seats;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.Region;
import io.shardbus.core.region.RegionCommand;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.fuzz.Mutants;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Control frames with mistakes in them: what can be read is given to the machines of a node. */
class HostileBytesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final int SHARDS = 300;
    private static final TermId TERM = new TermId(1_790_000_000_000L, Long.MAX_VALUE - 5);
    private static final TermId NEXT = new TermId(TERM.number() + 1, 1);
    private static final LeaseTimes TIMES = new LeaseTimes(8_000, 1_000, false);
    private static final RegionProfile PROFILE = new RegionProfile(false, SHARDS, "x", "", 4, 1);
    /** By how much, in milliseconds, a term may be ahead of a clock. */
    private static final long HIGHEST_LEAD = Duration.ofDays(1).plusMinutes(1).toMillis();

    private static final Set<Class<?>> REFUSALS = Set.of(WireFormatException.class);

    private long now;

    private static Mutants mutants() {
        return new Mutants(LaterBuildTest.everyMessage()
                .map(message -> {
                    Buffer frame = ControlCodec.begin(A);
                    ControlCodec.append(frame, message);
                    return frame.getBytes();
                })
                .toList());
    }

    private static List<ControlMessage> decode(byte[] bytes) {
        return ControlCodec.decode(Buffer.buffer(bytes));
    }

    private static Coordinator coordinator(TermId term) {
        return new Coordinator(term, new CoordinatorSettings(TIMES, 2_000, 400, 0), 0, 0, Set.of(A, B));
    }

    @Test
    void aCoordinatorTakesWhatCanBeReadAndKnowsNoShardThatThereIsNot() {
        Coordinator coordinator = coordinator(TERM);
        coordinator.step(new CoordinatorEvent.Received(A, new ToCoordinator.Register(1, PROFILE, List.of(), 1)), 0);
        mutants().decode(HostileBytesTest::decode, REFUSALS, messages -> {
            for (ControlMessage message : messages) {
                if (message instanceof ControlMessage.ForCoordinator m) {
                    now++;
                    coordinator.step(new CoordinatorEvent.Confirmed(now), now);
                    List<CoordinatorCommand> commands =
                            coordinator.step(new CoordinatorEvent.Received(m.from(), m.body()), now);
                    coordinator.step(new CoordinatorEvent.Ticked(), now);
                    assertTrue(commands.size() <= 10 + 4 * SHARDS, () -> commands.size() + " commands");
                }
            }
        });
        var view = coordinator.inspect(now);
        assertTrue(view.regions().size() <= 2, "members alone: " + view.regions());
        assertTrue(view.rows().stream().allMatch(row -> row.shard() >= 0 && row.shard() < SHARDS));
    }

    @Test
    void aRegionTakesWhatCanBeReadAndRegistersInTheNextTerm() {
        Region region = new Region(PROFILE, TIMES, 400, 0);
        region.termSeen(TERM, 0);
        mutants().decode(HostileBytesTest::decode, REFUSALS, messages -> {
            for (ControlMessage message : messages) {
                boolean refusal = message instanceof ControlMessage.ForRegion m && m.body() instanceof ToRegion.Refused;
                if (message instanceof ControlMessage.ForRegion m && !refusal) {
                    now++;
                    region.received(m.term(), m.body(), now);
                    region.tick(now);
                }
            }
        });
        assertTrue(region.hosted().keySet().stream().allMatch(shard -> shard >= 0 && shard < SHARDS));
        now += 2 * TIMES.lease();
        region.tick(now);
        region.allStopped(0, now);
        List<RegionCommand> commands = region.termSeen(NEXT, now);
        ToCoordinator.Register register = commands.stream()
                .filter(RegionCommand.Send.class::isInstance)
                .map(command -> ((RegionCommand.Send) command).message())
                .filter(ToCoordinator.Register.class::isInstance)
                .map(ToCoordinator.Register.class::cast)
                .findFirst()
                .orElseThrow();
        long attempt = register.attempt();
        region.received(NEXT, new ToRegion.Registered(attempt, Set.of()), now);
        region.received(NEXT, new ToRegion.LeaseGranted(attempt, register.heartbeat(), TIMES.lease()), now);
        region.received(NEXT, new ToRegion.LeaseGranted(attempt, register.heartbeat() + 1, TIMES.lease()), now);
        assertEquals(RegionStatus.REGISTERED, region.status());
    }

    @Test
    void anElectionGoesOnWithAnyTermsItHears() {
        Election election = new Election(A, 7, true, Seats.ALONE, TIMES, 0);
        election.wallClock(TERM.number());
        election.viewChanged(new ElectionView(List.of(A, B), List.of(A, B), true), false, false, 0);
        mutants().decode(HostileBytesTest::decode, REFUSALS, messages -> {
            for (ControlMessage message : messages) {
                now++;
                if (message instanceof ControlMessage.ForNode m && m.body() instanceof NodeMessage.TermAnnounced said) {
                    election.termHeard(said.term(), said.coordinator(), now);
                } else if (message instanceof ControlMessage.ForCoordinator m) {
                    election.termHeard(m.term(), null, now);
                }
                election.tick(now);
            }
        });
        long claim = nextClaim(election);
        assertTrue(claim <= TERM.number() + HIGHEST_LEAD + 1, () -> (claim - TERM.number()) + " ahead");
    }

    @Test
    void aFounderTakesWhatCanBeReadAndFoundsItsClusterAfterwards() {
        Set<String> seats = Set.of("a:7800", "b:7800");
        Election election = new Election(A, 7, true, Seats.listed("a:7800", seats), TIMES, 0);
        election.wallClock(TERM.number());
        ArrayDeque<ElectionCommand> left = new ArrayDeque<>(
                election.viewChanged(new ElectionView(List.of(A, B), List.of(A, B), true), false, false, 0));
        mutants().decode(HostileBytesTest::decode, REFUSALS, messages -> {
            for (ControlMessage message : messages) {
                now++;
                List<ElectionCommand> commands = seatMessage(election, message);
                left.addAll(commands);
                assertTrue(commands.stream().noneMatch(ElectionCommand.Replace.class::isInstance), "no seat agreed");
                assertTrue(commands.size() <= 5, () -> commands.size() + " commands");
            }
        });
        assertTrue(founds(election, seats, left), "it founds nothing");
    }

    private List<ElectionCommand> seatMessage(Election election, ControlMessage message) {
        if (message instanceof ControlMessage.ForNode m && m.body() instanceof NodeMessage.SeatsAsked asked) {
            return election.seatsAsked(asked, now);
        }
        if (message instanceof ControlMessage.ForNode m && m.body() instanceof NodeMessage.SeatAnswered answer) {
            return election.seatAnswered(answer, now);
        }
        return List.of();
    }

    /** Whether it claims when the record is empty and the other seat agrees to what it asks. */
    private boolean founds(Election election, Set<String> seats, ArrayDeque<ElectionCommand> commands) {
        long deadline = now + 20 * TIMES.lease();
        while (now < deadline) {
            if (commands.isEmpty()) {
                now += 100;
                commands.addAll(election.tick(now));
                continue;
            }
            ElectionCommand command = commands.poll();
            if (command instanceof ElectionCommand.Replace) {
                return true;
            } else if (command instanceof ElectionCommand.Read read) {
                commands.addAll(election.readCompleted(read.operation(), null, now));
            } else if (command instanceof ElectionCommand.AskSeats asked) {
                TermId attempt = asked.message().attempt();
                int round = asked.message().round();
                commands.addAll(election.seatAnswered(
                        new NodeMessage.SeatAnswered(B, attempt, round, "b:7800", true, true, seats), now));
                commands.addAll(election.seatsProbed(attempt, round, seats, false, now));
            }
        }
        return false;
    }

    /** The term that it claims when it finds no record. */
    private long nextClaim(Election election) {
        long deadline = now + 100 * TIMES.lease();
        List<ElectionCommand> commands = election.readCompleted(1, null, now);
        while (now < deadline) {
            for (ElectionCommand command : commands) {
                if (command instanceof ElectionCommand.Replace replace) {
                    return replace.next().term();
                }
            }
            commands = election.tick(now += 100);
        }
        throw new AssertionError("it claims nothing");
    }
}
