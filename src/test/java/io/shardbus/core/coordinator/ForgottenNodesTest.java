package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A reign may last for months, while nodes come and go: what it keeps of those that are gone. */
class ForgottenNodesTest {
    private static final NodeId A = new NodeId("a");
    private static final long LEASE = 1_000;
    private static final long OPEN = LEASE + LEASE / 10;

    private final LeaseTimes times = new LeaseTimes(LEASE, 300, true);
    private final List<CoordinatorCommand> commands = new ArrayList<>();
    private final ShardOrders orders = new ShardOrders();
    private final ShardTable table = new ShardTable(new TermId(7, 1), times, orders);
    private final Placement placement =
            new Placement(table, () -> new CoordinatorSettings(times, 2_000, 400, 0), commands, orders);
    private final Registrations registrations = new Registrations(table, times, commands, placement);
    private final Authority authority = new Authority(times, 0, 0);
    private final List<NodeId> gone =
            IntStream.range(0, 100).mapToObj(i -> new NodeId("n" + i)).toList();

    private void open() {
        authority.confirmed(OPEN);
        assertTrue(authority.tryToOpen(table, registrations));
    }

    private long remembered() {
        return gone.stream().filter(authority::isOver).count();
    }

    @Test
    void anOpenReignForgetsTheEndsOfNodesThatHaveNoRegionHere() {
        gone.forEach(node -> authority.left(node, 10));
        gone.subList(0, 50).forEach(node -> authority.provenDead(node, 10));
        authority.confirmed(20);
        authority.viewChanged(Set.of(A), table);
        assertEquals(100, remembered(), "one of them may hold a lease of an earlier reign");
        open();
        table.addSession(new Session(gone.get(0), 1, new RegionProfile(false, 10, "1", "1", 1, 1)));
        authority.viewChanged(Set.of(A, gone.get(1)), table);
        assertEquals(2, remembered(), "the first has a region, the second is a member still");
        table.removeSession(gone.get(0));
        authority.viewChanged(Set.of(A), table);
        assertEquals(0, remembered());
    }

    @Test
    void anOpenReignForgetsTheGoodbyesOfRegions() {
        gone.forEach(node -> registrations.goodbye(node, 1, false));
        assertTrue(gone.stream().allMatch(registrations::saidGoodbye));
        registrations.goodbye(A, 1, true);
        assertFalse(registrations.saidGoodbye(A));
        assertTrue(gone.stream().noneMatch(registrations::saidGoodbye));
    }
}
