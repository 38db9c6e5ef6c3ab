package io.shardbus.daemon;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.logging.LogPace;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.SingletonOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.node.VertxRegistry;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One verticle that lives on one node of a role at a time. When its node leaves, the verticle stops there before it
 * starts on another node. After a crash of its node it starts on another node once the lease of the crashed node has
 * expired. A verticle that has undeployed itself starts again with the next message, or within about two {@code
 * keepAliveIntervalMs}. A node that loses its lease undeploys the verticle at once, but another node may start the
 * verticle before the undeployment has ended: the verticle's writes to other systems must tolerate two writers for a
 * while. Start the singleton on every node of the cluster, with equal options. May be used from any thread.
 *
 * @param <M> the messages that the verticle takes
 */
public final class ClusterSingleton<M> {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSingleton.class);
    /** The id of a singleton's entity within its type. */
    public static final String ENTITY_ID = "singleton";

    private static final VertxRegistry<ClusterSingleton<?>> STARTED = new VertxRegistry<>("singletons");

    private static final SharedStarts<Running> SHARED = new SharedStarts<>("singleton", Running::end, Running::isOver);

    private final ClusterSharding sharding;
    private final EntityType<M> type;
    private final SharedStarts<Running>.Share share;

    private ClusterSingleton(ClusterSharding sharding, EntityType<M> type, SharedStarts<Running>.Share share) {
        this.sharding = sharding;
        this.type = type;
        this.share = share;
    }

    /** What makes two starts equal. */
    private record Started(SingletonOptions options, Class<?> messages) {}

    /**
     * Starts this node's part of a singleton. A node without the role never runs the verticle. A singleton that was
     * started on the Vertx before, with equal options, is shared: it keeps its supplier, and ends with the last {@link
     * #stop}.
     *
     * @param messages the class of its messages, as for {@link EntityType}
     * @param verticle makes the verticle each time it starts; a {@link SingletonVerticle} if it takes messages. Called
     *     on an event loop, must not block
     * @return completes when a coordinator has accepted the region, perhaps before the verticle runs; fails as {@link
     *     ClusterSharding#start} does, and with an IllegalStateException for other options, or another class, than
     *     those of a singleton of this name that was started on the Vertx
     * @throws IllegalArgumentException for an option out of range
     */
    public static <M> Future<ClusterSingleton<M>> start(
            Vertx vertx,
            ClusterSharding sharding,
            SingletonOptions options,
            Class<M> messages,
            Supplier<? extends Deployable> verticle) {
        SingletonOptions copy = new SingletonOptions(options);
        copy.validate();
        EntityType<M> type = typeOf(copy.getName(), messages);
        EntityDefinition<M> definition = EntityDefinition.of(
                        type, id -> new Host<M>(vertx, verticle, copy.getKeepAliveIntervalMs()))
                .withNumberOfShards(1)
                .withRestartPolicy(RestartPolicy.stop())
                .withStopTimeout(Duration.ofMillis(copy.getStopTimeoutMs()))
                .withPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
        EntityDefinition<M> inRole = copy.getRole().isEmpty() ? definition : definition.withRole(copy.getRole());
        return SHARED.start(
                        vertx,
                        sharding,
                        copy.getName(),
                        new Started(copy, messages),
                        () -> sharding.start(inRole).map(region -> new Running(vertx, sharding, copy, region)))
                .map(share -> {
                    ClusterSingleton<M> singleton = new ClusterSingleton<>(sharding, type, share);
                    share.part().list(singleton);
                    return singleton;
                });
    }

    /**
     * The entity type behind a singleton, for nodes that send to it without having started it, such as those of another
     * data center.
     *
     * @param name {@link SingletonOptions#getName}
     * @param messages the class of its messages, as it was started with
     */
    public static <M> EntityType<M> typeOf(String name, Class<M> messages) {
        return EntityType.of("singleton-" + name, messages);
    }

    /**
     * The singletons that were started on a Vertx, by name, until their last stop; each as its first start gave it.
     */
    public static Map<String, ClusterSingleton<?>> startedOn(Vertx vertx) {
        return STARTED.on(vertx);
    }

    public String name() {
        return share.part().options.getName();
    }

    /** A reference to the singleton on whichever node it runs; messages wait while it moves. */
    public EntityRef<M> proxy() {
        return sharding.entityRef(type, ENTITY_ID);
    }

    /** The node on which it runs now; empty while it moves or is stopped, and before its first start. */
    public Future<Optional<NodeId>> home() {
        return sharding.locate(type.name(), ENTITY_ID)
                .map(found -> found.filter(EntityLocation::live).map(EntityLocation::node));
    }

    /**
     * Takes this start of the singleton back. The last of a Vertx ends this node's part of it: a verticle that runs
     * here stops, and starts on another node of the role. Completes when it has stopped, and at once where others have
     * started the singleton too.
     */
    public Future<Void> stop() {
        return share.stop();
    }

    /** This node's part of a singleton, with its keep-alives; shared by all starts on one Vertx. */
    private static final class Running {
        private final Vertx vertx;
        private final ClusterSharding sharding;
        private final SingletonOptions options;
        private final ShardRegion<?> region;
        private final AtomicReference<@Nullable ClusterSingleton<?>> listed = new AtomicReference<>();
        private final LogPace pace = new LogPace(new ElapsedClock()::now);
        private final long timer;

        Running(Vertx vertx, ClusterSharding sharding, SingletonOptions options, ShardRegion<?> region) {
            this.vertx = vertx;
            this.sharding = sharding;
            this.options = options;
            this.region = region;
            this.timer = region.isProxy() ? -1 : keepAlive(((VertxInternal) vertx).createEventLoopContext());
        }

        /**
         * @param context belongs to no verticle: keep-alives must not end with the verticle that starts the singleton
         */
        private long keepAlive(ContextInternal context) {
            context.runOnContext(ignored -> keep());
            return context.setPeriodic(options.getKeepAliveIntervalMs(), ignored -> keep());
        }

        private void keep() {
            if (!sharding.isLeaving()) {
                region.entityRef(ENTITY_ID).start().onFailure(failure -> {
                    if (!sharding.isLeaving() && pace.admits()) {
                        LOG.warn("singleton={} does not run{}", options.getName(), pace.note(), failure);
                    }
                });
            }
        }

        void list(ClusterSingleton<?> started) {
            if (listed.compareAndSet(null, started)) {
                STARTED.add(vertx, options.getName(), started);
            }
        }

        boolean isOver() {
            return SharedStarts.hasLeft(region);
        }

        Future<Void> end() {
            vertx.cancelTimer(timer);
            ClusterSingleton<?> first = listed.get();
            if (first != null) {
                STARTED.remove(vertx, options.getName(), first);
            }
            return region.leave();
        }
    }

    /** The entity behind the singleton. */
    private static final class Host<M> implements Entity<M>, HandsOver, Discardable {
        private final Deployed<Deployable> deployed;
        private final Supplier<? extends Deployable> verticle;

        private final Vertx vertx;
        private final long watchInterval;
        private long watch = -1;

        Host(Vertx vertx, Supplier<? extends Deployable> verticle, long watchInterval) {
            this.vertx = vertx;
            this.deployed = new Deployed<>(vertx);
            this.verticle = verticle;
            this.watchInterval = watchInterval;
        }

        /** Stops the instance when its verticle has undeployed itself; the next keep-alive starts both. */
        @Override
        public Future<?> started(EntityContext<M> context) {
            watch = vertx.setPeriodic(watchInterval, ignored -> {
                if (deployed.hasEndedByItself()) {
                    context.stop();
                }
            });
            return deployed.run(verticle);
        }

        /** Deploys a verticle that has undeployed itself again, and then passes the message to it. */
        @Override
        public Future<?> receive(M message, EntityContext<M> context) {
            return deployed.run(verticle).compose(running -> {
                if (deployed.verticle() instanceof SingletonVerticle<?> receiver) {
                    @SuppressWarnings("unchecked") // made for the messages of this type
                    SingletonVerticle<M> typed = (SingletonVerticle<M>) receiver;
                    return typed.deliver(message);
                }
                return Future.failedFuture(new EntityFailure(
                        "no-messages",
                        "the verticle does not implement SingletonVerticle, so it cannot receive messages"));
            });
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            return deployed.end();
        }

        /** Called at every end of the instance: its verticle ends with it, also after a forced stop. */
        @Override
        public void discarded() {
            vertx.cancelTimer(watch);
            deployed.end();
        }

        /** An empty state: it only makes the next home start the verticle at once. */
        @Override
        public Future<State> handOver() {
            return Future.succeededFuture(new State(1, Buffer.buffer()));
        }

        @Override
        public Future<?> takeOver(State state) {
            return done();
        }
    }
}
