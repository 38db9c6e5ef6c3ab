package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.remember.RememberSettings;
import io.shardbus.core.remember.RememberedLane;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FencingToken;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.spi.RememberedEntitiesStore.StaleTokenException;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collaborators of a region's lanes for remembered entities: the access to the store, and the start rate that
 * they share.
 */
final class RememberedRegion {
    private static final Logger LOG = LoggerFactory.getLogger(RememberedRegion.class);

    private final RegionHandle<?> region;
    private final Supplier<Future<RememberedEntitiesStore>> store;
    private final RememberSettings settings;
    private final StartPace pace;
    private final RegionCounters counters;
    private final LogPace unfitPace;
    private volatile @Nullable Future<Set<Integer>> former;

    private RememberedRegion(RegionHandle<?> region, RegionWiring wiring, RegionCounters counters) {
        RememberedEntitiesStore own =
                region.definition().rememberedEntitiesStore().orElse(null);
        this.region = region;
        this.store = own == null ? wiring.remembered() : () -> Future.succeededFuture(own);
        this.settings = region.settings().memory();
        this.pace = new StartPace(region.settings().options().node().getEntityRecovery(), wiring.clock()::now);
        this.counters = counters;
        this.unfitPace = new LogPace(wiring.clock()::now);
    }

    /** Null where entities are not remembered. */
    static @Nullable RememberedRegion of(RegionHandle<?> region, RegionWiring wiring, RegionCounters counters) {
        return region.definition().isRememberEntities() ? new RememberedRegion(region, wiring, counters) : null;
    }

    /**
     * Numbers of shards with remembered ids that the type no longer has, since numberOfShards was lowered. Read once;
     * read again only after a failure.
     */
    private Future<Set<Integer>> former() {
        Future<Set<Integer>> known = former;
        if (known == null || known.failed()) {
            known = store.get()
                    .compose(found -> found.shards(region.type().name()))
                    .map(all -> all.stream()
                            .filter(shard -> shard >= region.numberOfShards())
                            .collect(Collectors.toSet()));
            former = known;
        }
        return known;
    }

    /** The ids that a store gives; fails where it gives none, or one is null. */
    private static Set<String> checked(Set<String> ids) {
        ids.forEach(id -> Objects.requireNonNull(id, "one of the ids of the store of remembered entities"));
        return ids;
    }

    /** For one lane; its queue is requested when the lane is open. */
    RememberPort ofLane(Supplier<LaneQueue> queue) {
        return new OfLane(queue);
    }

    private final class OfLane implements RememberPort {
        private final Supplier<LaneQueue> queue;

        OfLane(Supplier<LaneQueue> queue) {
            this.queue = queue;
        }

        @Override
        public RememberSettings settings() {
            return settings;
        }

        @Override
        public int shardOf(String entityId) {
            try {
                return region.shard(entityId);
            } catch (ShardingException e) {
                if (unfitPace.admits()) {
                    LOG.warn(
                            "type={}: remembered entity {} does not start, and stays in the store: {}{}",
                            type(),
                            entityId,
                            e.getMessage(),
                            unfitPace.note());
                }
                return -1;
            }
        }

        @Override
        public void open(Key key) {
            call(
                    found -> found.open(type(), key.shard(), key.token()).map(RememberedRegion::checked),
                    key,
                    (rememberedShards, ids) -> rememberedShards.opened(key, ids));
        }

        @Override
        public void store(Key key, Set<String> added, Set<String> removed) {
            call(
                    found -> found.update(type(), key.shard(), key.token(), added, removed),
                    key,
                    (rememberedShards, done) -> rememberedShards.stored(key));
        }

        private <T> void call(
                Function<RememberedEntitiesStore, Future<T>> operation,
                Key key,
                BiConsumer<RememberedLane, T> success) {
            store.get()
                    .compose(found -> UserCode.call(() -> operation.apply(found)))
                    .onComplete(outcome -> back(rememberedShards -> {
                        if (outcome.succeeded()) {
                            success.accept(rememberedShards, outcome.result());
                        } else if (outcome.cause() instanceof StaleTokenException) {
                            LOG.warn("type={}: {}", type(), outcome.cause().getMessage());
                            rememberedShards.stale(key);
                        } else {
                            counters.memoryFailed();
                            LOG.debug(
                                    "type={} shard={}: the store of remembered entities failed",
                                    type(),
                                    key.shard(),
                                    outcome.cause());
                            rememberedShards.failed(key);
                        }
                    }));
        }

        /** A store may answer when the node is gone. */
        private void back(Consumer<RememberedLane> answer) {
            if (!region.isOpen()) {
                return;
            }
            queue.get().execute((lane, now) -> {
                RememberedLane rememberedShards = lane.hosted().rememberedShards();
                if (rememberedShards != null) {
                    answer.accept(rememberedShards);
                }
            });
        }

        @Override
        public void findLeftovers(int shard, FencingToken token) {
            former().onComplete(found -> back(rememberedShards -> rememberedShards.leftovers(
                    shard,
                    token,
                    found.succeeded()
                            ? found.result().stream()
                                    .filter(number -> number % region.numberOfShards() == shard)
                                    .collect(Collectors.toSet())
                            : null)));
        }

        @Override
        public boolean takeStart() {
            return pace.take();
        }

        @Override
        public void startElsewhere(int shard, FencingToken token, String entityId) {
            region.sender()
                    .ask(shardOf(entityId), entityId, Envelope.START, ItemHeaders.NONE, region.askTimeout())
                    .onComplete(answer -> back(rememberedShards ->
                            rememberedShards.movedAway(shard, token, entityId, answer.succeeded())));
        }

        @Override
        public void troubled(int shard, boolean isTroubled) {
            if (counters.memoryTroubled(isTroubled) && isTroubled) {
                LOG.error(
                        "type={} shard={}: the store of remembered entities fails, retrying; further shards are"
                                + " counted as shards_without_memory",
                        type(),
                        shard);
            }
        }

        private String type() {
            return region.type().name();
        }
    }
}
