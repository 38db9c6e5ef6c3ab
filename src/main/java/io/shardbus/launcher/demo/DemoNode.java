package io.shardbus.launcher.demo;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;

/**
 * One node of the demo's cluster: a Vertx of its own.
 *
 * @param name a letter, with which the node's id begins
 */
public record DemoNode(String name, Vertx vertx, ClusterSharding sharding, ShardRegion<AirportMessage> airports) {
    static final EntityType<AirportMessage> AIRPORT = EntityType.of("airport", AirportMessage.class);

    private static final int EVENT_LOOPS = 2;
    private static final long REBALANCE_MS = 500;
    private static final String LOOPBACK = "127.0.0.1";

    static Future<DemoNode> start(String name, ClusterOptions cluster, Archive archive) {
        var bus = new EventBusOptions().setHost(LOOPBACK).setPort(0);
        return Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(bus).setEventLoopPoolSize(EVENT_LOOPS))
                .withClusterManager(ShardbusClusterManager.create(
                        new ClusterOptions(cluster).setNodeName(name).setBindAddress(LOOPBACK)))
                .buildClustered()
                .compose(vertx -> start(name, vertx, archive));
    }

    private static Future<DemoNode> start(String name, Vertx vertx, Archive archive) {
        var sharding = ClusterSharding.create(
                vertx,
                new ShardingOptions().setRebalanceIntervalMs(REBALANCE_MS).setRebalanceRelativeLimit(1));
        return sharding.start(EntityDefinition.of(AIRPORT, code -> new Airport(code, archive)))
                .map(airports -> new DemoNode(name, vertx, sharding, airports));
    }
}
