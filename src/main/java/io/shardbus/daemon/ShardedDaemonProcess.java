package io.shardbus.daemon;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.model.FencingToken;
import io.shardbus.model.TypeState;
import io.shardbus.options.DaemonOptions;
import io.shardbus.runtime.node.VertxRegistry;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A fixed number of workers that always run, spread over the nodes of a role. Each worker is a verticle that lives on
 * one node at a time. Start the set on every node of the cluster, with equal options. May be used from any thread.
 *
 * <p>A worker moves with its shard: it stops at the old home before it starts at the new one. A worker that has
 * undeployed itself, or could not be deployed, is started by its next keep-alive. A worker whose node crashed is
 * started by its first keep-alive after the lease of that node has expired. A worker that does not stop within {@code
 * stopTimeoutMs}, or runs on a node that lost its lease, may still run when its successor starts.
 */
public final class ShardedDaemonProcess {
    private static final String VERSION = "daemon-1";

    private static final VertxRegistry<ShardedDaemonProcess> STARTED = new VertxRegistry<>("daemons");

    private static final SharedStarts<RunningDaemon> SHARED =
            new SharedStarts<>("daemon", ShardedDaemonProcess::end, RunningDaemon::isOver);

    private final SharedStarts<RunningDaemon>.Share share;

    private ShardedDaemonProcess(SharedStarts<RunningDaemon>.Share share) {
        this.share = share;
    }

    /**
     * Starts this node's part of a set. A node without the role runs no worker. A set that was started on the Vertx
     * before, with equal options, is shared: it keeps its workers' supplier, and ends with the last {@link #stop}.
     *
     * @param workers makes a worker each time it starts; called on an event loop, must not block
     * @return completes when a coordinator has accepted the region, before workers run; fails as {@link
     *     ClusterSharding#start} does, and with an IllegalStateException for other options than those of a set of this
     *     name that was started on the Vertx
     * @throws IllegalArgumentException for an option out of range
     */
    public static Future<ShardedDaemonProcess> start(
            Vertx vertx,
            ClusterSharding sharding,
            DaemonOptions options,
            Function<WorkerContext, ? extends Deployable> workers) {
        DaemonOptions copy = new DaemonOptions(options);
        copy.validate();
        return SHARED.start(
                        vertx,
                        sharding,
                        copy.getName(),
                        copy,
                        () -> new RunningDaemon(vertx, sharding, copy).begin(workers))
                .map(share -> listed(vertx, new ShardedDaemonProcess(share)));
    }

    private static ShardedDaemonProcess listed(Vertx vertx, ShardedDaemonProcess started) {
        if (started.share.part().list(started)) {
            STARTED.add(vertx, started.name(), started);
        }
        return started;
    }

    private static Future<Void> end(RunningDaemon running) {
        running.listed().ifPresent(listed -> STARTED.remove(running.vertx(), running.name(), listed));
        return running.end();
    }

    /** The type of the entities behind the workers of a set. */
    static EntityType<WorkerCommand> type(String name) {
        return EntityType.of("daemon-" + name, WorkerCommand.class);
    }

    /** Puts a worker into the shard of its number, in every revision. */
    static final class ByNumber implements MessageExtractor<WorkerCommand> {
        @Override
        public String entityId(WorkerCommand message) {
            throw new IllegalArgumentException("workers take no messages");
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return WorkerId.parse(entityId, numberOfShards)
                    .map(worker -> worker.number() % numberOfShards)
                    .orElse(0);
        }

        @Override
        public String version() {
            return VERSION;
        }
    }

    /**
     * The sets that were started on a Vertx, by name, until their last stop; each as its first start gave it.
     */
    public static Map<String, ShardedDaemonProcess> startedOn(Vertx vertx) {
        return STARTED.on(vertx);
    }

    public String name() {
        return share.part().name();
    }

    /** The agreed state of the set; fails on a side of a split that may not read it, or if its read times out. */
    public Future<DaemonState> state() {
        return share.part().state();
    }

    /**
     * Changes the number of workers of the set while it runs: all workers stop, then those of the next revision start.
     * Another node continues the rescaling if this one ends. Changes nothing if the set has this number already.
     *
     * @param workers 1 to {@code maxWorkers}
     * @return completes when the old workers have stopped, or their stop has timed out. Fails with an
     *     IllegalArgumentException for a number out of range, and with a {@link RescalingException} while another
     *     rescaling is under way. After any other failure the rescaling may take effect all the same
     */
    public Future<Void> rescale(int workers) {
        return share.part().rescale(workers);
    }

    /**
     * The highest token that a worker can have had. Empty while the coordinator does not know the home of each worker's
     * shard, as in the first moments of a reign: a shard that it does not know may have had a higher one.
     */
    static Optional<FencingToken> highestToken(TypeState assigned, int workers) {
        Set<Integer> known =
                assigned.shards().stream().map(TypeState.Shard::shard).collect(Collectors.toSet());
        boolean all = IntStream.range(0, workers).allMatch(known::contains);
        return all
                ? assigned.shards().stream().map(TypeState.Shard::token).max(Comparator.naturalOrder())
                : Optional.empty();
    }

    /**
     * Takes this start of the set back. The last of a Vertx ends this node's part of the set: its workers move to other
     * nodes of the role. Completes when they have left, and at once where others have started the set too.
     */
    public Future<Void> stop() {
        return share.stop();
    }
}
