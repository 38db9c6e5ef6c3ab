package auction;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import auction.AuctionMessage.Bid;
import auction.AuctionMessage.Read;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.shardbus.testkit.junit.ShardbusCluster;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Auctions on three real nodes. */
@ShardbusCluster
class AuctionClusterTest {
    private static final int AUCTIONS = 30;

    private static AuctionView ask(Node node, int auction, AuctionMessage message) {
        return await(node.sharding()
                .entityRef(Auction.TYPE, Integer.toString(auction))
                .ask(message));
    }

    @Test
    void aNodeThatLeavesPassesItsAuctionsOn(ClusterTestKit cluster) {
        cluster.startType(Auction.definition(MemoryStore.create(), (event, state) -> {}, System::currentTimeMillis));
        var leaving = cluster.node(1);
        long there = IntStream.range(0, AUCTIONS)
                .filter(auction -> ask(cluster.node(0), auction, new Bid("ann", 1 + auction))
                        .node()
                        .equals(leaving.id().value()))
                .count();
        assertNotEquals(0, there, "auctions on the node that is to leave");
        cluster.leave(leaving);
        for (int auction = 0; auction < AUCTIONS; auction++) {
            var state = ask(cluster.node(0), auction, new Read());
            assertEquals(new HighestBid("ann", 1 + auction), state.highest());
            assertNotEquals(leaving.id().value(), state.node());
        }
    }
}
