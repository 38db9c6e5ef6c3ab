package io.shardbus.runtime.entity;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.logging.LogPace;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.transport.PayloadWire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shared parts of all entities of a type on one node. */
public final class EntityHost<M> {
    private static final Logger LOG = LoggerFactory.getLogger(EntityHost.class);

    volatile EntityDefinition<M> definition;
    final Vertx vertx;
    final NodeId node;
    final PayloadWire wire;
    final GuardedMetrics metrics;
    final @Nullable Executor virtualThreads;
    final @Nullable MessageTracing tracing;
    /** Null where the code of entities is called without their names in the MDC. */
    final @Nullable LoggedEntity logged;

    private final EntityRegion<M> region;
    private final EntityCounters counters;
    private final AtomicLong lives = new AtomicLong();
    private final LogPace pace;

    public EntityHost(EntityRegion<M> region, Vertx vertx, NodeId node) {
        this(region, vertx, node, false);
    }

    /** @param logsIds whether the names of entities are in the MDC while their code is called */
    public EntityHost(EntityRegion<M> region, Vertx vertx, NodeId node, boolean logsIds) {
        this.definition = region.definition();
        this.vertx = vertx;
        this.node = node;
        this.wire = region.payloads();
        this.metrics = region.metrics();
        this.tracing = region.tracing();
        this.logged = logsIds ? new LoggedEntity(definition.type().name()) : null;
        this.region = region;
        this.counters = region.counters();
        this.pace = new LogPace(region.clock()::now);
        this.virtualThreads = VirtualThreads.executorFor(definition.execution());
    }

    /** Makes instances by this definition, equal to the one before, from now on. */
    public void use(EntityDefinition<M> next) {
        definition = next;
    }

    /** Whether what is hosted since that stay may begin something at this moment; any thread. */
    boolean hasLease(long stay) {
        return region.hasLease(stay);
    }

    EntityRef<M> reference(String entityId) {
        return region.entityRef(entityId);
    }

    EntityRef<M> reference(String entityId, int fromShard, BooleanSupplier lives) {
        return region.entityRef(entityId, fromShard, lives);
    }

    /** Lets the instance of an entity give back what it holds outside itself. */
    void discard(String entityId, Discardable instance) {
        try {
            instance.discarded();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            logFailure(entityId, e);
        }
    }

    long nextLife() {
        return lives.incrementAndGet();
    }

    EntityLocation location(LiveEntity<M> entity) {
        return new EntityLocation(definition.type().name(), entity.id(), entity.shard(), node, entity.token(), true);
    }

    void logFailure(String entityId, Throwable failure) {
        if (pace.admits()) {
            warn(definition.type().name(), entityId, pace.note(), failure);
        }
    }

    /** A logger asks the exception for its text. */
    private static void warn(String type, String entityId, String note, Throwable failure) {
        try {
            LOG.warn("type={}: entity {} failed{}", type, entityId, note, failure);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            LOG.warn("type={}: entity {} failed{}: {}", type, entityId, note, FaultText.whole(failure));
        }
    }

    int numberOfShards() {
        return region.numberOfShards();
    }

    String addressing() {
        return region.addressing();
    }

    int maxPayloadBytes() {
        return region.maxPayloadBytes();
    }

    EntityCounters counters() {
        return counters;
    }

    void stoppedByForce(LiveEntity<M> entity, StopReason reason, long millis) {
        counters.stoppedByForce(definition.type().name(), entity.id(), entity.shard(), reason, millis);
    }

    /**
     * Counts a failure that the policy has dealt with, and lets the application know when the lane has done its work.
     */
    void treated(EntityLane queue, EntityFailureHandler.Report report) {
        counters.treated(report.action());
        definition.failureHandler().ifPresent(handler -> queue.afterwards(() -> hand(handler, report)));
    }

    private void hand(EntityFailureHandler handler, EntityFailureHandler.Report report) {
        try {
            handler.entityFailed(report);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            counters.handlerFailed();
            LOG.warn("type={}: the failure handler failed for entity {}", report.type(), report.id(), e);
        }
    }

    static Failure describe(Throwable failure) {
        if (failure instanceof EntityFailure refusal) {
            return new Failure(FailureCode.ENTITY_FAILED, FaultText.message(refusal), refusal.code());
        }
        if (failure instanceof CodedFailure coded) {
            return Failure.of(coded.code(), FaultText.message(coded));
        }
        if (failure instanceof ShardingException sharding) {
            // passed on by the entity: its own failure, and its refusal only if another entity refused
            String text = FaultText.message(sharding);
            String refusal = sharding.entityCode();
            return new Failure(
                    FailureCode.ENTITY_FAILED, refusal == null ? sharding.code() + ": " + text : text, refusal);
        }
        return Failure.of(FailureCode.ENTITY_FAILED, FaultText.whole(failure));
    }

    /** Calls code of an entity, on the thread that the code has. */
    @Nullable
    Future<?> run(String entityId, Callable<Future<?>> code) throws Exception {
        return logged == null ? code.call() : logged.call(entityId, code);
    }

    /** Runs code that belongs to no message outside of all traces. On the lane. */
    void outsideOfTraces(EntityLane lane, Runnable code) {
        if (tracing == null) {
            code.run();
        } else {
            MessageTracing.outside(lane.context(), code);
        }
    }
}
