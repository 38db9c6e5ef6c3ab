package io.shardbus.membership.detection;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Two real nodes that look for each other, one with another cluster name. */
@Timeout(120)
class ForeignClustersIT {
    private static final String LEFT = "orders-" + ProcessHandle.current().pid();
    private static final String RIGHT = "oders-" + ProcessHandle.current().pid();

    private final Queue<ILoggingEvent> logged = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            logged.add(event);
        }
    };

    @BeforeEach
    void listen() {
        log.start();
        root().addAppender(log);
    }

    @AfterEach
    void mute() {
        root().detachAppender(log);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static Future<Vertx> start(String cluster, String host, List<String> hosts) {
        var options = new ClusterOptions()
                .setClusterName(cluster)
                .setBindAddress(host)
                .setPeers(hosts)
                .setSeats(List.of(host));
        return Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(host)))
                .withClusterManager(ShardbusClusterManager.create(options))
                .buildClustered();
    }

    /** Lines of a node of one cluster about the node of the other. */
    private long lines(String own, String other, String otherHost) {
        var sought = "The node at " + otherHost + ":7800 (";
        var clusters = "belongs to cluster '" + other + "', this node to cluster '" + own + "'";
        return logged.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith(sought) && line.contains(clusters) && line.contains("clusterName"))
                .count();
    }

    @Test
    void eachNamesTheOtherOnce() {
        var hosts = LoopbackHosts.of(2);
        var nodes = List.of(start(LEFT, hosts.get(0), hosts), start(RIGHT, hosts.get(1), hosts));
        try {
            until(
                    "each names the other",
                    () -> lines(LEFT, RIGHT, hosts.get(1)) > 0 && lines(RIGHT, LEFT, hosts.get(0)) > 0);
            nodes.forEach(node -> await(node));
            assertEquals(1, lines(LEFT, RIGHT, hosts.get(1)));
            assertEquals(1, lines(RIGHT, LEFT, hosts.get(0)));
            assertEquals(0, stockLines());
            assertTrue(
                    searchLines(LEFT) <= 1 && searchLines(RIGHT) <= 1,
                    () -> "a search of several rounds is one line, not " + searchLines(LEFT) + " and "
                            + searchLines(RIGHT));
            assertTrue(searchLines(LEFT) + searchLines(RIGHT) >= 1, "neither says that it searches");
        } finally {
            nodes.forEach(node -> await(node.compose(Vertx::close)));
        }
    }

    /** Lines of a node that asks again who listens and does not answer. */
    private long searchLines(String cluster) {
        var text = "takes connections but does not answer as a node of cluster '" + cluster + "'";
        return logged.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .filter(event -> event.getFormattedMessage().contains(text))
                .count();
    }

    private long stockLines() {
        return logged.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("JGRP000012") && line.contains(LEFT))
                .count();
    }
}
