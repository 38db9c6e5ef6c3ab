package io.shardbus.runtime.node;

import io.shardbus.EntityDefinition;
import io.shardbus.FailureCode;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.ShardingOptions;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.runtime.coordinator.CoordinatorVerticle;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts regions on this node, at most one per entity type, and ends them. Any thread. */
final class RegionStarter {
    private static final Logger LOG = LoggerFactory.getLogger(RegionStarter.class);
    private static final long HINT_AFTER_MS = 10_000;

    private final Vertx vertx;
    private final NodeAssembly assembly;
    private final Map<String, Entry<?>> entries = new ConcurrentHashMap<>();
    private final AtomicInteger starts = new AtomicInteger();

    private record Entry<M>(
            EntityDefinition<M> definition,
            boolean proxy,
            RegionControl<M> region,
            EntityAddress<M> address,
            Future<ShardRegion<M>> started) {}

    RegionStarter(Vertx vertx, NodeAssembly assembly) {
        this.vertx = vertx;
        this.assembly = assembly;
    }

    <M> Future<ShardRegion<M>> start(EntityDefinition<M> definition, boolean proxy) {
        String name = definition.type().name();
        try {
            Entry<?> entry = entries.compute(name, (key, present) -> renewed(present, definition, proxy));
            @SuppressWarnings("unchecked")
            Future<ShardRegion<M>> started = ((Entry<M>) entry).started();
            return started;
        } catch (IllegalArgumentException | IllegalStateException e) {
            return Future.failedFuture(e);
        }
    }

    /** A proxy gives way to a hosting region; anything else that differs is an error. */
    private Entry<?> renewed(@Nullable Entry<?> present, EntityDefinition<?> definition, boolean proxy) {
        if (present == null) {
            return begin(definition, proxy, Future.succeededFuture());
        }
        boolean same = present.definition().equals(definition);
        if (same && (present.proxy() == proxy || proxy)) {
            return present;
        }
        if (same) {
            return begin(definition, false, end(present));
        }
        throw new IllegalStateException("entity type '" + definition.type().name()
                + "' was started on this node with another definition: " + present.definition());
    }

    private <M> Entry<M> begin(EntityDefinition<M> definition, boolean proxy, Future<Void> before) {
        RegionSettings settings = RegionSettings.of(definition, assembly.parts().options(), assembly.self(), proxy);
        PayloadCodec<M> codec = PayloadCodecs.of(definition);
        String name = definition.type().name();
        RegionHandle<M> handle =
                new RegionHandle<>(definition, settings, codec, assembly.parts().clock(), () -> leave(name));
        RegionControl.Wiring wiring = new RegionControl.Wiring(
                vertx,
                () -> assembly.control().controlContext(),
                assembly.parts().clock(),
                assembly.parts().transport(),
                assembly.parts().times(),
                message -> assembly.control().toCoordinator(name, message));
        RegionControl<M> region = new RegionControl<>(handle, wiring, (long) starts.incrementAndGet() << 32);
        EntityAddress<M> address = new EntityAddress<>(handle, assembly.parts().transport());
        Future<ShardRegion<M>> started = before.compose(done -> assembly.started())
                .compose(done -> region.deploy())
                .compose(done -> address.open())
                .compose(done -> assembly.onControl(control -> {
                    control.add(region);
                    hintLater(region);
                    return region.registered();
                }))
                .map(done -> (ShardRegion<M>) handle);
        Entry<M> entry = new Entry<>(definition, proxy, region, address, started);
        started.onFailure(failure -> vertx.runOnContext(ignored -> discard(name, entry)));
        return entry;
    }

    /** A region that did not come about leaves nothing behind. */
    private void discard(String name, Entry<?> entry) {
        entries.remove(name, entry);
        end(entry).onFailure(failure -> LOG.debug("what was left of region {} did not end in order", name, failure));
    }

    /** What users forget most: a region that finds no coordinator says so. */
    private void hintLater(RegionControl<?> region) {
        vertx.setTimer(HINT_AFTER_MS, ignored -> {
            if (!region.handle().isRegistered() && region.status() == RegionStatus.REGISTERING) {
                LOG.error(
                        "region {} has found no coordinator for {} ms: was the type started on all nodes, may one of them"
                                + " coordinate, and are at least minimumMembers there?",
                        region.handle().type().name(),
                        HINT_AFTER_MS);
            }
        });
    }

    Set<String> types() {
        return new TreeSet<>(entries.keySet());
    }

    Optional<RegionControl<?>> find(String type) {
        return Optional.ofNullable(entries.get(type)).map(Entry::region);
    }

    Collection<RegionControl<?>> all() {
        return entries.values().stream().<RegionControl<?>>map(Entry::region).toList();
    }

    RegionHandle<?> handle(String type) {
        return find(type)
                .<RegionHandle<?>>map(RegionControl::handle)
                .orElseThrow(() -> new ShardingException(
                        FailureCode.UNKNOWN_TYPE,
                        "entity type '" + type + "' was not started on this node: " + types()));
    }

    /** Whether every region is registered and can get shards. */
    boolean isReady() {
        return all().stream().allMatch(region -> region.handle().isRegistered() && region.isOpen());
    }

    /** Ends a type's region in good order. */
    Future<Void> leave(String type) {
        Entry<?> entry = entries.get(type);
        if (entry == null) {
            return Future.succeededFuture();
        }
        return end(entry).onComplete(done -> entries.remove(type, entry));
    }

    private Future<Void> end(Entry<?> entry) {
        RegionControl<?> region = entry.region();
        ShardingOptions options = assembly.parts().options();
        return entry.address()
                .close()
                .otherwiseEmpty()
                .compose(done -> assembly.onControl(control -> leave(control, region)))
                .timeout(options.getShutdownTimeoutMs(), TimeUnit.MILLISECONDS)
                .recover(failure -> stopNow(region))
                .compose(done -> assembly.<Void>onControl(control -> {
                    control.remove(region);
                    return Future.succeededFuture();
                }))
                .eventually(region::undeploy);
    }

    /** Nothing is handed over when the whole cluster stops, nor by a region that never had anything. */
    private static Future<Void> leave(CoordinatorVerticle control, RegionControl<?> region) {
        if (control.isPreparedForShutdown() || !region.registered().succeeded()) {
            region.stopNow();
        } else {
            region.leave();
        }
        return region.ended();
    }

    private Future<Void> stopNow(RegionControl<?> region) {
        LOG.warn(
                "region {} did not leave in time and is stopped",
                region.handle().type().name());
        long stopTimeout = region.handle().settings().times().stop();
        return assembly.<Void>onControl(control -> {
                    region.stopNow();
                    return region.ended();
                })
                .timeout(stopTimeout + 1000, TimeUnit.MILLISECONDS)
                .otherwiseEmpty();
    }
}
