package io.shardbus.integration.start;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.store.infinispan.TermCache;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster of a build whose formats have no numbered fields, by the bytes that it has written. */
@Timeout(120)
class EarlierBuildIT {
    private static final byte[] KEY = "term".getBytes(StandardCharsets.UTF_8);
    /** Term 258 of "né-1". */
    private static final byte[] RECORD =
            HexFormat.of().parseHex("01" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "6ec3a92d31");

    /** May coordinate, version "1.2", no roles, its bus at "h":7700. */
    private static final byte[] ATTRIBUTES =
            HexFormat.of().parseHex("02" + "01" + "0003312e32" + "0000" + "000168" + "1e14");

    private static final EntityType<String> TYPE = EntityType.of("echo", String.class);

    private static Configuration replicated() {
        var builder = new ConfigurationBuilder();
        builder.clustering().cacheMode(CacheMode.REPL_SYNC);
        builder.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
        return builder.build();
    }

    @Test
    void aNodeOfThisBuildHostsNothingBesideItAndSaysWhy() {
        try (var cluster = new BareCluster(2);
                var nodesLog = new LogLines("io.shardbus.membership.NodesCache")) {
            var earlier = cluster.startContainer();
            TermCache.define(earlier);
            earlier.defineConfiguration("shardbus.nodes", replicated());
            earlier.getCache("shardbus.term").put(KEY, RECORD);
            earlier.getCache("shardbus.nodes")
                    .put(earlier.getAddress().toString().getBytes(StandardCharsets.UTF_8), ATTRIBUTES);
            var node = cluster.startNode();
            var sharding = ClusterSharding.create(node.vertx, TestCluster.options());
            ShardingException refusal = LoneNode.failure(sharding.start(EntityDefinition.of(
                    TYPE, id -> (message, context) -> context.vertx().timer(1))));
            assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
            assertTrue(
                    refusal.getMessage().contains("wire version 1, this build of Shardbus has wire version 2"),
                    refusal.getMessage());
            until(
                    "the member is named",
                    () -> !nodesLog.with("wire version 1, this node one with wire version 2")
                            .isEmpty());
            assertEquals(
                    List.of(),
                    List.copyOf(node.membership.attributes().keySet().stream()
                            .filter(member -> !member.equals(node.id()))
                            .toList()));
            assertArrayEquals(RECORD, (byte[]) earlier.getCache("shardbus.term").get(KEY), "untouched");
        }
    }
}
