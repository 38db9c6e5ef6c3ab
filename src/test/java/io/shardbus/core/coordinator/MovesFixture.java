package io.shardbus.core.coordinator;

import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.coordinator.CoordinatorEvent.MovesChosen;
import io.shardbus.core.coordinator.CoordinatorEvent.Received;
import io.shardbus.core.coordinator.CoordinatorEvent.ShardPlaced;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator.HandoffAborted;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** Shards 1 to 6 are at home at A; 7 and 8 at C; none at B. Two of them may move at a time. */
abstract class MovesFixture {
    static final NodeId A = new NodeId("a");
    static final NodeId B = new NodeId("b");
    static final NodeId C = new NodeId("c");
    static final NodeId D = new NodeId("d");
    static final long HANDOFF_TIMEOUT = 2_000;
    static final RegionProfile PROFILE = new RegionProfile(false, 10, "1", "1", 1, 1);

    final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), HANDOFF_TIMEOUT, 400, 100_000, 2),
            0,
            0,
            Set.of(A, B, C, D));
    final List<CoordinatorCommand> commands = new ArrayList<>();
    long now;
    /** Of regions that have registered again. */
    final Map<NodeId, Long> attempts = new HashMap<>();

    long beats = 1;

    @BeforeEach
    void open() {
        register(A, 1, 2, 3, 4, 5, 6);
        register(B);
        register(C, 7, 8);
        pass(1_200);
        moveOne();
        pass(100);
        commands.clear();
    }

    /** One is through, so two may move at a time. */
    void moveOne() {
        choose(8);
        stop(8);
        start(8, C);
    }

    void registerAgain(NodeId node, int... shards) {
        attempts.put(node, 2L);
        register(node, shards);
    }

    long attempt(NodeId node) {
        return attempts.getOrDefault(node, 1L);
    }

    void register(NodeId node, int... shards) {
        step(new Received(
                node,
                new Register(
                        attempt(node),
                        PROFILE,
                        IntStream.of(shards)
                                .mapToObj(shard -> new ShardReport(shard, new FencingToken(6, 1, shard)))
                                .toList(),
                        beats)));
    }

    void step(CoordinatorEvent event) {
        commands.addAll(coordinator.step(event, now));
    }

    void pass(long millis, NodeId... silent) {
        for (long end = now + millis; now < end; now += 100) {
            beats++;
            step(new CoordinatorEvent.Confirmed(now));
            for (NodeId node : List.of(A, B, C)) {
                if (!Set.of(silent).contains(node)) {
                    step(new Received(node, new Heartbeat(attempt(node), beats, beats - 1, hosted(node))));
                }
            }
            step(new CoordinatorEvent.Ticked());
        }
    }

    List<ShardReport> hosted(NodeId node) {
        return coordinator.inspect(now).rows().stream()
                .filter(row -> row.home().equals(node) && row.confirmed())
                .map(row -> new ShardReport(row.shard(), row.token()))
                .toList();
    }

    CoordinatorView.Row row(int shard) {
        return coordinator.inspect(now).rows().stream()
                .filter(row -> row.shard() == shard)
                .findFirst()
                .orElseThrow();
    }

    void choose(int... shards) {
        Set<Integer> chosen = new TreeSet<>();
        IntStream.of(shards).forEach(chosen::add);
        step(new MovesChosen(chosen));
    }

    /** The home has stopped the shard. */
    void stop(int shard) {
        CoordinatorView.Row row = row(shard);
        step(new Received(row.home(), new ShardStopped(shard, row.token())));
    }

    void start(int shard, NodeId home) {
        step(new ShardPlaced(shard, home));
        step(new Received(home, new ShardHosted(1, shard, row(shard).token(), beats)));
    }

    /** The handoffs that have begun since this was asked last, in their order. */
    List<Integer> begun() {
        List<Integer> shards = new ArrayList<>();
        for (CoordinatorCommand command : commands) {
            if (command instanceof Send send
                    && send.to().equals(B)
                    && send.message() instanceof BeginHandoff begin
                    && !shards.contains(begin.shard())) {
                shards.add(begin.shard());
            }
        }
        commands.clear();
        return shards;
    }

    /** The home says that the shard stays: it was told to, or will not let it go now. */
    void stay(int shard) {
        step(new Received(A, new HandoffAborted(shard, row(shard).handoff())));
    }

    void order(OperatorOrder.Kind kind, int shard, NodeId node) {
        step(new CoordinatorEvent.Ordered(new OperatorOrder(kind, "type", node, shard)));
    }

    /** The node says that code of the shard's last life still runs there. */
    void endingAt(NodeId node, int shard) {
        beats++;
        step(new Received(
                node,
                new Heartbeat(
                        1,
                        beats,
                        beats - 1,
                        hosted(node),
                        List.of(new ShardReport(shard, new FencingToken(6, 1, shard))))));
    }

    Optional<String> refusal(OperatorOrder.Kind kind, int shard, NodeId node) {
        return coordinator.refusal(new OperatorOrder(kind, "type", node, shard), now);
    }

    List<String> reports() {
        return commands.stream()
                .filter(CoordinatorCommand.Report.class::isInstance)
                .map(report -> ((CoordinatorCommand.Report) report).text())
                .toList();
    }
}
