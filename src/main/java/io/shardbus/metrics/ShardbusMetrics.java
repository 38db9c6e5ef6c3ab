package io.shardbus.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.datacenter.DataCenters;
import io.shardbus.logging.LogPace;
import io.shardbus.model.ClusterEvent;
import io.shardbus.runtime.clock.Nanos;
import io.shardbus.runtime.node.MeterSource;
import io.shardbus.runtime.node.ShardingNode;
import io.shardbus.runtime.persistence.Backlog;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters of a node in a Micrometer registry, under the names of {@code docs/reference/metrics.md}. All meters exist
 * from the start, with 0: those of the node and of started types when {@link #bind} returns, those of a type that
 * starts later at most an interval after it. The meters of the coordinator exist on every node. Counters of the node
 * are read when the registry reads them; figures of lanes and coordinators are collected every few seconds. Metrics add
 * no cost to a message.
 *
 * <p>The meters of a type are removed when its region has left, all meters when sharding is closed. Any thread.
 */
public final class ShardbusMetrics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardbusMetrics.class);
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(2);
    private final LogPace pace = new LogPace(() -> TimeUnit.NANOSECONDS.toMillis(Nanos.now()));

    private final MeterSource source;
    private final MeterRegistry registry;
    private final NodeMeters node;
    private final Vertx vertx;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whether an event has made this node look for new types since the last look: a registry may refuse them. */
    private final AtomicBoolean met = new AtomicBoolean();

    private final Map<String, TypeMeters> types = new ConcurrentHashMap<>();
    private final long timer;
    private final Backlog backlog;
    private final ProjectionMeters projections;
    private final Consumer<ClusterEvent> listener = this::heard;
    /** The number of the last event that may have been recorded before the listener was there. */
    private volatile long past = Long.MAX_VALUE;
    /** The events up to that number that are counted: at most those that a node keeps. */
    private final Set<Long> counted = ConcurrentHashMap.newKeySet();

    private volatile @Nullable DataCenterMeters dataCenters;

    private ShardbusMetrics(MeterSource source, MeterRegistry registry, Duration interval) {
        this.source = source;
        this.registry = registry;
        this.vertx = source.vertx();
        this.backlog = Backlog.on(vertx);
        this.node = new NodeMeters(source, registry, backlog);
        this.projections = new ProjectionMeters(backlog, registry);
        attempt(this::meetTypes);
        countPastEvents();
        this.timer = vertx.setPeriodic(0, interval.toMillis(), fired -> look());
    }

    /**
     * Registers the meters of a node; figures of lanes and coordinators are collected every 2 s.
     *
     * @throws IllegalArgumentException for a sharding that is no node, as in a test of one entity
     */
    public static ShardbusMetrics bind(ClusterSharding sharding, MeterRegistry registry) {
        return bind(sharding, registry, DEFAULT_INTERVAL);
    }

    /**
     * Registers the meters of a node.
     *
     * @param interval at which figures of lanes and coordinators are collected; 10 ms to 1 minute
     * @throws IllegalArgumentException for another interval, and for a sharding that is no node
     */
    public static ShardbusMetrics bind(ClusterSharding sharding, MeterRegistry registry, Duration interval) {
        if (interval.toMillis() < 10 || interval.toMillis() > 60_000) {
            throw new IllegalArgumentException("interval = " + interval + ": must be 10 ms to 1 minute");
        }
        if (!(sharding instanceof ShardingNode node)) {
            throw new IllegalArgumentException("meters are of nodes, not of a " + sharding.getClass());
        }
        return new ShardbusMetrics(node.meters(), registry, interval);
    }

    /** One after the other: the next look comes after all answers of this one. */
    private void look() {
        if (closed.get() || !looking.compareAndSet(false, true)) {
            return;
        }
        if (source.isClosed()) {
            looking.set(false);
            close();
            return;
        }
        met.set(false);
        attempt(() -> {
            meetTypes();
            types.values().forEach(TypeMeters::look);
            meetDataCenters();
            projections.look();
        });
        if (closed.get()) {
            // closed by another thread meanwhile, which may not have seen what this look has registered
            release();
        }
        source.coordinated()
                .onSuccess(tables -> types.forEach((type, meters) -> meters.coordinated(tables.get(type))))
                .onFailure(failure -> LOG.debug("the coordinator of this node was not read", failure))
                .onComplete(done -> looking.set(false));
    }

    private synchronized void meetTypes() {
        var regions = source.regions();
        types.forEach((type, meters) -> {
            if (meters.isOver(regions.get(type))) {
                meters.close();
                types.remove(type, meters);
            }
        });
        regions.forEach(
                (type, region) -> types.computeIfAbsent(type, name -> new TypeMeters(region, registry, backlog)));
    }

    private void meetDataCenters() {
        DataCenters present = DataCenters.startedOn(vertx).orElse(null);
        DataCenterMeters known = dataCenters;
        if (known != null && (present == null || !known.isOf(present))) {
            known.close();
            dataCenters = null;
        }
        if (present != null && dataCenters == null) {
            dataCenters = new DataCenterMeters(present, registry);
        }
    }

    /** An event that is recorded meanwhile comes from the ring, from the listener, or from both. */
    private void countPastEvents() {
        source.events().listen(listener);
        long end = source.events().last();
        source.events().after(0, Integer.MAX_VALUE).stream()
                .filter(event -> event.id() <= end && counted.add(event.id()))
                .forEach(this::count);
        past = end;
    }

    private void heard(ClusterEvent event) {
        if (event.id() > past || counted.add(event.id())) {
            count(event);
        }
    }

    private void count(ClusterEvent event) {
        attempt(() -> {
            node.happened(event);
            String type = String.valueOf(event.details().get("type"));
            if (!types.containsKey(type) && source.regions().containsKey(type) && !met.getAndSet(true)) {
                // its region has started since the last look
                meetTypes();
            }
            if (closed.get()) {
                release();
                return;
            }
            TypeMeters meters = types.get(type);
            if (meters != null) {
                meters.happened(event);
            }
        });
    }

    /** A registry, or a filter of the application's, may fail: what is missing is tried again with the next look. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError e) {
            if (pace.admits()) {
                LOG.warn("the meters of this node could not be registered or read{}", pace.note(), e);
            }
        }
    }

    /** Removes the meters. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            vertx.cancelTimer(timer);
            source.events().unlisten(listener);
            release();
        }
    }

    private void release() {
        node.close();
        types.values().forEach(TypeMeters::close);
        projections.close();
        DataCenterMeters links = dataCenters;
        if (links != null) {
            links.close();
        }
    }
}
