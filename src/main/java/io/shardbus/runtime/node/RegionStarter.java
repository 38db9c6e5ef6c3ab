package io.shardbus.runtime.node;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.FailureCode;
import io.shardbus.model.SharedStore;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.runtime.region.RegionWiring;
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Starts regions on this node, at most one per entity type, and ends them. Any thread. */
final class RegionStarter {
    private static final Logger LOG = LoggerFactory.getLogger(RegionStarter.class);
    private static final int HINT_AFTER_RETRIES = 5;
    private static final long EXPIRE_EARLY_MS = 100;
    private static final long LONGEST_STORE_START_MS = 30_000;

    private final Vertx vertx;
    private final NodeAssembly assembly;
    private final Greetings greetings;
    private final RegionEnding ending;
    private final Future<Void> warmedUp;
    private final Map<String, StartedRegion<?>> entries = new ConcurrentHashMap<>();
    /** Reasons why the cluster does not take types that were started here, by name; until they are started again. */
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    private final Map<EntityType<?>, RegionHandle<?>> latest = new ConcurrentHashMap<>();
    /** For each type, completes when nothing of its latest region runs any more. */
    private final Map<String, Future<Void>> gone = new ConcurrentHashMap<>();
    /** The ends of regions that are ending, also where another region has taken their place. */
    private final Set<Future<Void>> ends = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;
    private final AtomicInteger starts = new AtomicInteger();

    /** @param warmedUp no region takes part before */
    RegionStarter(Vertx vertx, NodeAssembly assembly, Future<Void> warmedUp) {
        this.vertx = vertx;
        this.warmedUp = warmedUp;
        this.assembly = assembly;
        this.greetings = new Greetings(assembly, this::find);
        this.ending = new RegionEnding(assembly);
    }

    <M> Future<ShardRegion<M>> start(EntityDefinition<M> definition, boolean proxy) {
        String name = definition.type().name();
        try {
            refusals.remove(name);
            StartedRegion<?> entry = entries.compute(name, (key, present) -> renewed(present, definition, proxy));
            @SuppressWarnings("unchecked")
            Future<ShardRegion<M>> started = ((StartedRegion<M>) entry).started();
            return started;
        } catch (IllegalArgumentException | IllegalStateException | ShardingException e) {
            return Future.failedFuture(e);
        }
    }

    /** No region starts from now on. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    static ShardingException closedNode() {
        return new ShardingException(FailureCode.SHUTTING_DOWN, "this node's sharding is closed");
    }

    /**
     * A proxy becomes a hosting region; anything else that differs is an error, unless the present one is about to end.
     */
    private StartedRegion<?> renewed(
            @Nullable StartedRegion<?> present, EntityDefinition<?> definition, boolean proxy) {
        if (closed) {
            throw closedNode();
        }
        if (present == null || present.end().get() != null) {
            return begin(definition, proxy);
        }
        if (present.definition().equals(definition)) {
            return present.proxy() && !proxy ? hosting(present, definition) : present;
        }
        throw new IllegalStateException("entity type '" + definition.type().name()
                + "' was started on this node with another definition: "
                + present.definition().differences(definition));
    }

    /**
     * The region stays, and with it every message that is on its way through it. Where the type cannot be hosted for
     * want of its store, it stays a proxy.
     */
    @SuppressWarnings("unchecked")
    private <M> StartedRegion<M> hosting(StartedRegion<M> proxy, EntityDefinition<?> definition) {
        RegionControl<M> region = proxy.region();
        EntityDefinition<M> equal = (EntityDefinition<M>) definition;
        String name = definition.type().name();
        Future<ShardRegion<M>> started = proxy.started()
                .compose(done -> unlessLeft(region, prepared(definition)))
                .recover(failure -> proxyAgain(name, proxy, failure))
                .compose(store ->
                        assembly.onControl(control -> unlessLeft(region, region.host(equal, store.orElse(null)))))
                .map(done -> {
                    ShardRegion<M> open = unlessClosed(region.handle());
                    if (proxy.definition().metrics().isEmpty()) {
                        RegionSamples.begin(vertx, region.handle());
                    }
                    return open;
                });
        StartedRegion<M> entry =
                new StartedRegion<>(equal, false, region, proxy.address(), started, proxy.end(), proxy.gone());
        started.onFailure(failure -> vertx.runOnContext(ignored -> {
            if (!proxy.equals(entries.get(name))) {
                discard(name, entry);
            }
        }));
        return entry;
    }

    /** Before the start fails, which may be tried again at once. */
    private <T> Future<T> proxyAgain(String name, StartedRegion<?> proxy, Throwable failure) {
        Promise<T> failed = Promise.promise();
        vertx.runOnContext(ignored -> {
            if (proxy.started().succeeded() && proxy.end().get() == null) {
                entries.computeIfPresent(name, (key, present) -> present.end().equals(proxy.end()) ? proxy : present);
            }
            failed.fail(failure);
        });
        return failed.future();
    }

    private <M> StartedRegion<M> begin(EntityDefinition<M> definition, boolean proxy) {
        RegionSettings settings = RegionSettings.of(definition, assembly.parts().options(), assembly.self(), proxy);
        PayloadCodec<M> codec = PayloadCodecs.of(definition);
        PayloadCodecs.unwritableFields(definition)
                .forEach(field -> LOG.warn(
                        "type={}: messages with this field cannot be sent to other nodes, only within this node: {}",
                        definition.type().name(),
                        field));
        String name = definition.type().name();
        AtomicReference<@Nullable Future<Void>> end = new AtomicReference<>();
        RegionHandle.Actions actions = new RegionHandle.Actions(
                () -> leave(name, end), () -> state(name, end), assembly::isAvailable, assembly::isAlone);
        MessageTracing tracing = MessageTracing.of(vertx, assembly.parts().options(), name, assembly.self());
        RegionHandle<M> handle =
                new RegionHandle<>(definition, settings, codec, assembly.parts().clock(), actions, tracing);
        RegionWiring wiring = new RegionWiring(
                vertx,
                () -> assembly.control().controlContext(),
                assembly.parts().clock(),
                assembly.parts().transport(),
                assembly.parts().times(),
                message -> assembly.control().toCoordinator(name, message),
                assembly.status()::knows,
                until -> assembly.control().leaseGranted(until),
                assembly.leases().of(definition),
                assembly.parts().remembered());
        RegionControl<M> region =
                new RegionControl<>(handle, wiring, ToCoordinator.firstAttempt(starts.incrementAndGet()));
        EventBusBridge<M> address =
                new EventBusBridge<>(handle, assembly.parts().transport());
        Future<Void> before = gone.getOrDefault(name, Future.succeededFuture());
        if (!before.isComplete()) {
            LOG.info("type={}: the region waits for the previous region of the type to stop", name);
        }
        Future<ShardRegion<M>> started = assembly.started()
                .compose(done -> unlessLeft(region, before))
                .compose(done -> assembly.onRoot(region::deploy))
                .compose(done -> proxy ? notStored() : unlessLeft(region, prepared(definition)))
                .compose(store -> assembly.<Void>onControl(control -> {
                    region.storedIn(store.orElse(null));
                    return Future.succeededFuture();
                }))
                .compose(done -> assembly.onRoot(address::open))
                .compose(done -> assembly.onRoot(() -> greetings.exchange(name, settings.lanes())))
                .compose(done -> unlessLeft(region, warmedUp))
                .compose(done -> assembly.onControl(control -> register(control, region)))
                .map(done -> {
                    ShardRegion<M> open = unlessClosed(handle);
                    RegionSamples.begin(vertx, handle);
                    return open;
                });
        replaceLatest(handle);
        expireEarly(handle, started);
        Promise<Void> over = Promise.promise();
        gone.put(name, Future.join(before, over.future()).mapEmpty());
        return watched(new StartedRegion<>(definition, proxy, region, address, started, end, over));
    }

    private static Future<Optional<SharedStore>> notStored() {
        return Future.succeededFuture(Optional.empty());
    }

    /** All that must have succeeded before this node hosts the type; gives the store that its entities are in. */
    private Future<Optional<SharedStore>> prepared(EntityDefinition<?> definition) {
        Future<Void> reached = definition
                .preparation()
                .map(preparation -> UserCode.call(() -> preparation.get().<Void>mapEmpty()))
                .orElseGet(Future::succeededFuture);
        return reached.compose(done -> definition
                        .sharedStore()
                        .map(store -> UserCode.call(() -> store.get().map(Optional::of)))
                        .orElseGet(RegionStarter::notStored))
                .compose(store -> memoryTried(definition).map(store));
    }

    /**
     * Shards that came before the node's store of remembered entities has started would only fail to open, and wait for
     * their next try. A store that does not start is tried again by each shard.
     */
    private Future<Void> memoryTried(EntityDefinition<?> definition) {
        boolean needed = definition.isRememberEntities()
                && definition.rememberedEntitiesStore().isEmpty();
        return needed
                ? assembly.parts()
                        .remembered()
                        .get()
                        .timeout(LONGEST_STORE_START_MS, TimeUnit.MILLISECONDS)
                        .onFailure(failure -> LOG.atLevel(closed ? Level.DEBUG : Level.WARN)
                                .log(
                                        "type={}: the store of remembered entities has not started; each shard retries",
                                        definition.type().name(),
                                        failure))
                        .<Void>mapEmpty()
                        .otherwiseEmpty()
                : Future.succeededFuture();
    }

    /** Asks that wait for the lanes have no other clock: it must not end with the verticle that starts the type. */
    private void expireEarly(RegionHandle<?> handle, Future<?> started) {
        Future<Long> timer = assembly.onRoot(
                () -> Future.succeededFuture(vertx.setPeriodic(EXPIRE_EARLY_MS, ignored -> handle.expireEarly())));
        started.onComplete(done -> timer.onSuccess(vertx::cancelTimer));
    }

    private Future<Void> register(CoordinatorVerticle control, RegionControl<?> region) {
        if (region.ended().isComplete()) {
            return unlessLeft(region, Future.succeededFuture());
        }
        control.add(region);
        hintLater(region);
        return unlessLeft(region, region.registered());
    }

    /** A region that was told to leave before it is registered never will be. */
    private static <T> Future<T> unlessLeft(RegionControl<?> region, Future<T> outcome) {
        Promise<T> first = Promise.promise();
        region.ended()
                .onSuccess(done -> first.tryFail(new ShardingException(
                        FailureCode.SHUTTING_DOWN,
                        "the region of '" + region.handle().type().name() + "' was told to leave while it started")));
        outcome.onSuccess(first::tryComplete).onFailure(first::tryFail);
        return first.future();
    }

    /** Registered, and yet its end has begun: such a region is not returned. */
    private <M> ShardRegion<M> unlessClosed(RegionHandle<M> handle) {
        if (closed) {
            throw new ShardingException(
                    FailureCode.SHUTTING_DOWN,
                    "this node's sharding was closed while the region of '"
                            + handle.type().name() + "' started");
        }
        return handle;
    }

    /** References made with an earlier region of the type go on with this one. */
    private <M> void replaceLatest(RegionHandle<M> handle) {
        @SuppressWarnings("unchecked")
        RegionHandle<M> before = (RegionHandle<M>) latest.put(handle.type(), handle);
        if (before != null) {
            before.succeededBy(handle);
        }
    }

    private <M> StartedRegion<M> watched(StartedRegion<M> entry) {
        String name = entry.definition().type().name();
        entry.started().onFailure(failure -> vertx.runOnContext(ignored -> discard(name, entry)));
        return entry;
    }

    /** A region that did not come about leaves nothing behind. */
    private void discard(String name, StartedRegion<?> entry) {
        entries.remove(name, entry);
        if (entry.started().cause() instanceof ShardingException refusal
                && refusal.code() == FailureCode.INCOMPATIBLE) {
            refusals.put(name, String.valueOf(refusal.getMessage()));
        }
        entry.region().handle().readiness().leaving();
        entry.region().handle().neverOpens();
        end(entry)
                .onFailure(failure ->
                        LOG.debug("type={}: the rest of a region that did not start failed to end", name, failure));
    }

    /** Reasons why types that were started do not run here, where none does: such a node serves nothing. */
    Collection<String> refusals() {
        return entries.isEmpty() ? List.copyOf(refusals.values()) : List.of();
    }

    /** Types whose persistent entities refuse commands here, as their store does not answer. */
    Stream<String> storeTroubles() {
        return all().stream()
                .map(RegionControl::handle)
                .flatMap(region -> region.counters().storeTrouble().stream()
                        .map(reason -> "persistent entities of the type '"
                                + region.type().name() + "' refuse commands: " + reason));
    }

    /** Reasons why types wait whose shards have had no home yet. */
    Collection<String> waits() {
        return all().stream()
                .map(RegionControl::handle)
                .filter(region ->
                        region.missingMembers() > 0 || region.readiness().opensIn() > 0)
                .flatMap(region -> region.waitsFor().stream())
                .toList();
    }

    /** Reports a region that finds no coordinator, which users forget most. */
    private void hintLater(RegionControl<?> region) {
        if (WarmUp.plays(assembly.self())) {
            return;
        }
        long pause = HINT_AFTER_RETRIES * region.handle().settings().times().retry();
        vertx.setTimer(pause, ignored -> {
            if (!region.handle().isRegistered() && region.status() == RegionStatus.REGISTERING) {
                String waits = assembly.status().foundingComplaint();
                LOG.error(
                        "type={}: no coordinator found for {} ms: {}",
                        region.handle().type().name(),
                        pause,
                        waits != null ? waits : "was the type started on all nodes, and may one of them coordinate?");
            }
        });
    }

    /** The region of the type, if it is still the one with this end. */
    private Optional<StartedRegion<?>> present(String type, AtomicReference<@Nullable Future<Void>> end) {
        return Optional.<StartedRegion<?>>ofNullable(entries.get(type)).filter(entry -> entry.end() == end);
    }

    private Future<TypeState.Region> state(String type, AtomicReference<@Nullable Future<Void>> end) {
        return present(type, end)
                .map(StartedRegion::region)
                .map(region -> region.handle()
                        .queries()
                        .statistics()
                        .map(found ->
                                TypeStates.here(assembly.self(), region.handle().isProxy(), found)))
                .orElseGet(() -> Future.failedFuture(
                        new ShardingException(FailureCode.SHUTTING_DOWN, "the region of '" + type + "' has left")));
    }

    Set<String> types() {
        return new TreeSet<>(entries.keySet());
    }

    Optional<RegionControl<?>> find(String type) {
        return Optional.ofNullable(entries.get(type)).map(StartedRegion::region);
    }

    Collection<RegionControl<?>> all() {
        return entries.values().stream()
                .<RegionControl<?>>map(StartedRegion::region)
                .toList();
    }

    RegionHandle<?> handle(String type) {
        return find(type)
                .<RegionHandle<?>>map(RegionControl::handle)
                .orElseThrow(() -> closed
                        ? closedNode()
                        : new ShardingException(
                                FailureCode.UNKNOWN_TYPE,
                                "entity type '" + type + "' was not started on this node, only " + types()
                                        + ": call start or startProxy first"));
    }

    /** Whether every region is registered and can get shards. */
    boolean isReady() {
        return !closed
                && all().stream()
                        .map(RegionControl::handle)
                        .allMatch(region ->
                                region.isRegistered() && region.readiness().isOpen());
    }

    /** Completes when all regions have ended whose end has begun. */
    Future<Void> ended() {
        return Future.join(List.copyOf(ends)).mapEmpty();
    }

    /** Ends the region with this end; one that another has taken the place of is not asked again. */
    private Future<Void> leave(String type, AtomicReference<@Nullable Future<Void>> end) {
        return present(type, end).map(entry -> leave(type, entry)).orElseGet(() -> {
            Future<Void> begun = end.get();
            return begun == null || begun.isComplete() ? Future.succeededFuture() : begun;
        });
    }

    private Future<Void> leave(String type, StartedRegion<?> entry) {
        return end(entry).onComplete(done -> entries.remove(type, entry));
    }

    private Future<Void> end(StartedRegion<?> entry) {
        Promise<Void> mine = Promise.promise();
        if (entry.end().compareAndSet(null, mine.future())) {
            ends.add(mine.future());
            // before its lanes begin to end: it is known at once that another start begins anew
            entry.region().handle().readiness().leaving();
            ending.end(entry).onComplete(mine).onComplete(done -> ends.remove(mine.future()));
        }
        Future<Void> present = entry.end().get();
        return present == null ? mine.future() : present;
    }
}
