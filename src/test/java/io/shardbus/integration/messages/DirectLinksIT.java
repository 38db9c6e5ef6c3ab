package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.Ports;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lanes that connect to each other through something that breaks. */
class DirectLinksIT {
    private static final String NEAR = "127.0.0.1";
    private static final String BEHIND = "127.0.0.2";
    private static final int LANES = 2;

    /**
     * A node whose lanes listen behind the proxy; who listens there is known by name, and everybody else finds the
     * proxy by that.
     */
    private static TestCluster.Node start(TestCluster cluster, String name, String other, int port) {
        ShardingOptions options = TestCluster.options()
                .setLanes(LANES)
                .setDirect(
                        new DirectOptions().setEnabled(true).setHost(name).setPorts(port + "-" + (port + LANES - 1)));
        Buffer hosts = Buffer.buffer(BEHIND + " " + name + "\n" + NEAR + " " + other + "\n");
        AddressResolverOptions names = new AddressResolverOptions().setHostsValue(hosts);
        return cluster.startNode(options, TestCluster.freePort(), new VertxOptions().setAddressResolverOptions(names));
    }

    @Test
    void nothingIsLostDoubledOrReorderedWhileLinksBreak() throws InterruptedException {
        OrderingIT.Ledger ledger = new OrderingIT.Ledger();
        int port = Ports.free(1).get(0);
        List<Integer> ports = List.of(port, port + 1, port + 2, port + 3);
        try (LinkProxy proxy = new LinkProxy(NEAR, BEHIND, ports);
                TestCluster cluster = new TestCluster()) {
            TestCluster.Node one = start(cluster, "one.test", "two.test", port);
            TestCluster.Node two = start(cluster, "two.test", "one.test", port + LANES);
            cluster.startType(ledger.definition());
            OrderingIT.under(List.of(one, two), ledger, () -> {
                until("both host shards", () -> OrderingIT.shardsOn(one) > 0 && OrderingIT.shardsOn(two) > 0);
                for (int i = 0; i < 8; i++) {
                    long before = proxy.bytes();
                    until("frames go over links", () -> proxy.bytes() > before + 20_000);
                    proxy.breakAll();
                }
            });
        }
    }

    @Test
    void aNodeWithLinksAndOneWithoutWorkTogether() {
        try (TestCluster cluster = new TestCluster()) {
            Census census = new Census();
            TestCluster.Node linked =
                    cluster.startNode(TestCluster.options().setDirect(new DirectOptions().setEnabled(true)));
            TestCluster.Node plain = cluster.startNode(TestCluster.options());
            cluster.startType(census.definition());
            for (TestCluster.Node node : List.of(linked, plain)) {
                for (int i = 0; i < 100; i++) {
                    await(node.counter("c" + i).ask(new CounterMessage.AddAndGet(1)));
                }
            }
            for (int i = 0; i < 100; i++) {
                assertEquals(2, await(linked.counter("c" + i).ask(new CounterMessage.Get())));
            }
            assertTrue(census.liveOn(linked.id().value()) > 0
                    && census.liveOn(plain.id().value()) > 0);
        }
    }
}
