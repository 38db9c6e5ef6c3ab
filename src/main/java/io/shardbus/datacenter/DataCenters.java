package io.shardbus.datacenter;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.model.FailureCode;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.options.TlsOptions;
import io.shardbus.runtime.node.VertxRegistry;
import io.shardbus.runtime.region.Addressing;
import io.shardbus.transport.tls.TlsMaterial;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's access to other data centers. Each data center is a cluster of its own, with its own coordinator, shards
 * and singletons. Entities of the same type and id in two data centers are two entities, each with its own references.
 * A cut between data centers changes nothing within them.
 *
 * <p>Start it on each node that sends messages to other data centers, or takes messages from them. May be used from any
 * thread. It closes with its Vertx. See docs/guides/data-centers.md.
 */
public final class DataCenters {
    private static final Logger LOG = LoggerFactory.getLogger(DataCenters.class);

    /** Limit of a frame's bytes beside its payload; its names, id and failure text are shorter. */
    private static final int FRAME_OVERHEAD = 16_384;

    private static final VertxRegistry<DataCenters> STARTED = new VertxRegistry<>("dataCenters");
    /** A Vertx is a node of one data center. */
    private static final String HERE = "here";

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final DataCenterOptions options;
    private final Map<String, SharedType<?>> types = new ConcurrentHashMap<>();
    private final Map<String, DataCenterLink> links = new TreeMap<>();
    private final List<Handler<DataCenterEvent>> listeners = new CopyOnWriteArrayList<>();
    private final DataCenterServer server;

    private DataCenters(Vertx vertx, ClusterSharding sharding, DataCenterOptions options) {
        this.vertx = vertx;
        this.sharding = sharding;
        this.options = options;
        int mostFrameBytes = sharding.options().getMaxPayloadBytes() + FRAME_OVERHEAD;
        NetServerOptions serverOptions = DataCenterServer.options(options);
        options.getTls().map(DataCenters::material).ifPresent(tls -> tls.secure(serverOptions));
        this.server = new DataCenterServer(
                sharding, options, vertx.createNetServer(serverOptions), mostFrameBytes, types::get);
    }

    /**
     * Listens for nodes of other data centers, and begins to connect to the data centers that the options name.
     *
     * @return completes when this node listens, perhaps before the first connection; fails if it cannot listen
     * @throws IllegalArgumentException for an option out of range, naming key, value and range
     */
    public static Future<DataCenters> start(Vertx vertx, ClusterSharding sharding, DataCenterOptions options) {
        var copy = new DataCenterOptions(options);
        copy.validate();
        var started = new DataCenters(vertx, sharding, copy);
        return started.server.listen().map(listening -> {
            LOG.info("dataCenter={}: listens at {}:{}", copy.getName(), copy.getHost(), listening.port());
            started.connect();
            STARTED.add(vertx, HERE, started);
            return started;
        });
    }

    /** The instance that was started last on a Vertx, by code or by configuration, until it is closed. */
    public static Optional<DataCenters> startedOn(Vertx vertx) {
        return Optional.ofNullable(STARTED.on(vertx).get(HERE));
    }

    private void connect() {
        int mostFrameBytes = sharding.options().getMaxPayloadBytes() + FRAME_OVERHEAD;
        for (var other : options.getOthers().entrySet()) {
            var client = new NetClientOptions().setConnectTimeout((int) options.getUnreachableAfterMs());
            options.getTls().map(DataCenters::material).ifPresent(tls -> tls.secure(client));
            links.put(
                    other.getKey(),
                    new DataCenterLink(
                            vertx,
                            options,
                            other.getKey(),
                            other.getValue(),
                            vertx.createNetClient(client),
                            mostFrameBytes,
                            this::announce));
        }
    }

    private static TlsMaterial material(TlsOptions tls) {
        return new TlsMaterial(
                new PemKeyCertOptions().setKeyPath(absolute(tls.getKey())).setCertPath(absolute(tls.getCertificate())),
                new PemTrustOptions().addCertPath(absolute(tls.getTrust())),
                tls.versions());
    }

    private static String absolute(String path) {
        return Path.of(path).toAbsolutePath().toString();
    }

    private void announce(DataCenterEvent event) {
        for (var listener : listeners) {
            try {
                listener.handle(event);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                LOG.error("dataCenter={}: a listener failed to handle {}", self(), event, e);
            }
        }
    }

    /** The data center of this node. */
    public String self() {
        return options.getName();
    }

    /** The port on which other data centers reach this node. */
    public int port() {
        return server.port();
    }

    /**
     * Starts a type in this node's data center, as {@link ClusterSharding#start} does, and makes its entities
     * addressable from other data centers.
     */
    public <M> Future<Void> start(EntityDefinition<M> definition) {
        return start(definition, self());
    }

    /**
     * Starts a type in a data center. In this node's own data center this is {@link #start(EntityDefinition)}. For
     * another data center this node hosts nothing, and {@link #entityRef(EntityType, String, String)} sends there.
     *
     * @throws IllegalArgumentException for a data center that the options do not name
     */
    public <M> Future<Void> start(EntityDefinition<M> definition, String dataCenter) {
        requireKnown(dataCenter);
        types.put(definition.type().name(), SharedType.of(definition, sharding.options()));
        return dataCenter.equals(self()) ? sharding.start(definition).mapEmpty() : Future.succeededFuture();
    }

    /**
     * Makes a type with a built-in codec addressable across data centers: a type that was started on this node without
     * this class, such as that of {@code ClusterSingleton.proxy()}, or a type to which this node only sends.
     *
     * @throws IllegalArgumentException for a message class without a built-in codec: use {@link #start}
     */
    public <M> void share(EntityType<M> type) {
        types.put(type.name(), SharedType.of(type, sharding.options()));
    }

    /**
     * A reference to an entity of this data center.
     *
     * @throws ShardingException UNKNOWN_TYPE for a type that was not started on this node
     */
    public <M> EntityRef<M> entityRef(EntityType<M> type, String entityId) {
        return sharding.entityRef(type, entityId);
    }

    /**
     * A reference to an entity of a data center. Messages to another data center wait while a connection is made. While
     * that data center is unreachable, asks fail with {@link FailureCode#DATA_CENTER_UNREACHABLE}; while {@code
     * maxPending} messages to it are pending, they fail with REGION_BUFFER_FULL. Messages without an answer are counted
     * in {@link DataCenterState#lostTells} in both cases. An ask that was sent fails with OUTCOME_UNKNOWN when its
     * connection ends. The other node must have started or shared the type, else an ask fails with UNKNOWN_TYPE.
     *
     * @throws IllegalArgumentException for a data center that the options do not name
     * @throws ShardingException UNKNOWN_TYPE for a type that was neither started nor shared on this node; INVALID_ID
     */
    public <M> EntityRef<M> entityRef(EntityType<M> type, String dataCenter, String entityId) {
        requireKnown(dataCenter);
        var link = links.get(dataCenter);
        if (link == null) {
            return entityRef(type, entityId);
        }
        var shared = types.get(type.name());
        if (shared == null || !shared.type().equals(type)) {
            throw new ShardingException(
                    FailureCode.UNKNOWN_TYPE,
                    "type '" + type.name() + "' was neither started nor shared by the DataCenters of this node");
        }
        @SuppressWarnings("unchecked") // equal types have the same message class
        var typed = (SharedType<M>) shared;
        Addressing.checkId(entityId);
        return new DistantEntityRef<>(link, dataCenter, typed, entityId);
    }

    /**
     * A reference to the singleton of a data center; the same name in two data centers means two singletons. Nodes of
     * both data centers must have shared its type: {@code share(ClusterSingleton.typeOf(name, messages))}.
     *
     * @param name {@link io.shardbus.options.SingletonOptions#getName}
     * @param messages the class of its messages, as it was started with
     * @throws IllegalArgumentException for a data center that the options do not name
     * @throws ShardingException UNKNOWN_TYPE if it was neither started nor shared on this node
     */
    public <M> EntityRef<M> singletonProxy(String name, Class<M> messages, String dataCenter) {
        return entityRef(ClusterSingleton.typeOf(name, messages), dataCenter, ClusterSingleton.ENTITY_ID);
    }

    private void requireKnown(String dataCenter) {
        if (!dataCenter.equals(self()) && !options.getOthers().containsKey(dataCenter)) {
            throw new IllegalArgumentException("data center '" + dataCenter + "' is neither this one, '" + self()
                    + "', nor one of the others: " + options.getOthers().keySet());
        }
    }

    /** The other data centers as this node sees them, by name. */
    public Map<String, DataCenterState> others() {
        var states = new TreeMap<String, DataCenterState>();
        links.forEach((name, link) -> states.put(name, link.state()));
        return states;
    }

    /** Number of messages without an answer that arrived from other data centers and were refused, since the start. */
    public long refusedTells() {
        return server.refusedTells();
    }

    /**
     * Calls the handler, on an event loop, each time another data center becomes reachable or unreachable from this
     * node. Further handlers are called as well, in the order in which they were added.
     */
    public DataCenters onChange(Handler<DataCenterEvent> handler) {
        listeners.add(handler);
        return this;
    }

    /**
     * Ends the links. Asks that were sent fail with OUTCOME_UNKNOWN, messages that wait with DATA_CENTER_UNREACHABLE.
     * Other data centers then connect to other nodes of this one.
     */
    public Future<Void> close() {
        STARTED.remove(vertx, HERE, this);
        var closing = new ArrayList<Future<?>>(List.of(server.close()));
        links.values().forEach(link -> closing.add(link.close()));
        return Future.join(closing).mapEmpty();
    }
}
