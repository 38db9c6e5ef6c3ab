package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A region that is deployed by configuration alone:
 *
 * <pre>{@code
 * {
 *   "type": "counter",                          // the name of the entity type
 *   "messageClass": "com.example.Message",      // as for EntityType
 *   "entityClass": "com.example.Counter",       // a public Entity of them; its public constructor: (String id) or ()
 *   "entityFactory": "com.example.Counters",    // instead of entityClass: a public EntityFactory of these messages
 *   "persistentFactory": "com.example.Accounts", // or this: a public PersistentFactory of these messages, and
 *   "persistence": {"store": "sqlite", "file": "data/accounts.db"}, // the store of its entities
 *   "factoryConfig": {},                        // optional: what the factory is given
 *   "role": "backend",                          // optional: nodes without the role are proxies
 *   "numberOfShards": 100,                      // optional, as all else that an EntityDefinition has
 *   "proxy": false,                             // optional: true hosts nothing, and needs no entityClass
 *   "sharding": {"roles": ["backend"]}          // optional: ShardingOptions; the same for all regions of a Vertx
 * }
 * }</pre>
 *
 * The other keys are in docs/guides/configure.md. The deployment completes when a coordinator has accepted the region,
 * and fails with the key that is wrong. To undeploy it hands off its shards and ends the region, in good order. As
 * with {@link ClusterSharding#start}, several equal deployments share one region: it ends with the last. One that
 * differs is refused.
 */
public final class ShardRegionVerticle extends VerticleBase {
    private static final Map<Place, Share> SHARES = new ConcurrentHashMap<>();

    private @Nullable Place place;
    /** Taken by this deployment. */
    private @Nullable StoreConfig store;

    private record Place(Vertx vertx, String type) {}

    /**
     * Region that several deployments share, and their number; the region is null until the first deployment has
     * started it.
     */
    private record Share(int deployments, @Nullable ShardRegion<?> region) {
        Share one(int more) {
            return new Share(deployments + more, region);
        }
    }

    @Override
    public Future<?> start() {
        var config = RegionConfig.of(config());
        config.prepare().accept(vertx);
        var sharding = ClusterSharding.create(vertx, config.sharding());
        var taken = new Place(vertx, config.definition().type().name());
        place = taken;
        EntityDefinition<?> definition;
        try {
            definition = config.stored().<EntityDefinition<?>>map(this::define).orElse(config.definition());
        } catch (RuntimeException e) {
            return releaseStore().transform(done -> Future.failedFuture(e));
        }
        SHARES.merge(taken, new Share(1, null), (present, first) -> present.one(1));
        return start(sharding, definition, config.proxy())
                .onSuccess(region ->
                        SHARES.computeIfPresent(taken, (key, share) -> new Share(share.deployments(), region)))
                .recover(failure -> giveUp(taken)
                        .transform(done -> releaseStore())
                        .transform(done -> Future.failedFuture(failure)));
    }

    private EntityDefinition<?> define(RegionConfig.Stored stored) {
        var opened = stored.store().acquire(vertx);
        store = stored.store();
        return stored.definition().apply(opened);
    }

    /** After the region, whose entities write until it has ended. */
    private Future<Void> releaseStore() {
        var taken = store;
        store = null;
        return taken == null ? Future.succeededFuture() : taken.release(vertx);
    }

    private static <M> Future<? extends ShardRegion<?>> start(
            ClusterSharding sharding, EntityDefinition<M> definition, boolean proxy) {
        return proxy ? sharding.startProxy(definition) : sharding.start(definition);
    }

    @Override
    public Future<?> stop() {
        return giveUp(Objects.requireNonNull(place, "started")).eventually(this::releaseStore);
    }

    /** The last that gives its share up ends the region, if any had it. */
    private static Future<Void> giveUp(Place place) {
        var end = new AtomicReference<@Nullable Future<Void>>();
        SHARES.computeIfPresent(place, (key, share) -> {
            var region = share.region();
            if (share.deployments() > 1) {
                return share.one(-1);
            }
            if (region != null) {
                // begun here, so that a deployment that comes now starts another
                end.set(region.leave());
            }
            return null;
        });
        var begun = end.get();
        return begun == null ? Future.succeededFuture() : begun;
    }
}
