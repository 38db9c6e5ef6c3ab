package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatorViewTest {
    private static final NodeId A = new NodeId("a");
    private static final int SHARDS = 1_000;
    private static final int TIMES = 100;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 100_000, 10),
            0,
            0,
            Set.of(A));

    @BeforeEach
    void allShardsAreAtHome() {
        List<ShardReport> reports = IntStream.range(0, SHARDS)
                .mapToObj(shard -> new ShardReport(shard, new FencingToken(6, 1, shard)))
                .toList();
        RegionProfile profile = new RegionProfile(false, SHARDS, "1", "1", 1, 1);
        coordinator.step(
                new CoordinatorEvent.Received(
                        A, new ToCoordinator.Register(ToCoordinator.firstAttempt(1), profile, reports, 1)),
                0);
        coordinator.step(new CoordinatorEvent.DrainRequested(A), 0);
    }

    /** What one look takes of the heap, in bytes. */
    private long bytes(Consumer<CoordinatorView> look) {
        look.accept(coordinator.inspect(0));
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < TIMES; i++) {
            look.accept(coordinator.inspect(0));
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / TIMES;
    }

    @Test
    void tellsOfEachShard() {
        CoordinatorView view = coordinator.inspect(0);
        assertEquals(SHARDS, view.numberOfShards());
        assertEquals(SHARDS, view.rows().size());
        assertEquals(Optional.of(view.rows().get(17)), view.row(17));
        assertEquals(17, view.row(17).orElseThrow().shard());
        assertEquals(Optional.empty(), view.row(SHARDS));
    }

    /** Each look at the cluster asks for the drained nodes of all types, each search for an entity for one row. */
    @Test
    void doesNotListAllShardsForAQuestionAboutSomethingElse() {
        long list = bytes(view -> assertEquals(SHARDS, view.rows().size()));
        long drained = bytes(view -> assertEquals(Set.of(A), view.drained()));
        long row = bytes(view -> assertTrue(view.row(17).isPresent()));
        long shards = bytes(view -> assertEquals(SHARDS, view.regions().get(0).shards()));
        assertTrue(Math.max(drained, Math.max(row, shards)) < list / 10, drained + " " + row + " " + shards);
    }
}
