package io.shardbus.runtime.control;

import io.shardbus.core.allocation.FixedSnapshot;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Carries out the commands of one type's coordinator in a reign of this node, on the control context. */
final class CoordinatorCommandRunner implements CoordinatorCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorCommandRunner.class);
    private static final long STRATEGY_TIMEOUT_MS = 5000;
    private static final long STORE_TIMEOUT_MS = 5000;

    private final NodeId self;
    private final String type;
    private final Coordinator coordinator;
    private final @Nullable RegionControl<?> region;
    private final ControlLink link;
    private final ControlLoop loop;
    private final Context context;
    private final EventRecorder recorder;
    private final Placing placing;
    private final Supplier<Future<RememberedEntitiesStore>> remembered;
    private boolean open;
    /** Whether the user's strategy looks for moves. */
    private boolean choosing;

    /**
     * The rule that places shards, one of both.
     *
     * @param rule ours, when it knows what it needs; its future completes on the control context, and does not fail
     * @param strategy the user's
     */
    record Placing(
            @Nullable Supplier<Future<ShardAllocation>> rule,
            @Nullable AllocationStrategy strategy) {
        static Placing by(Supplier<Future<ShardAllocation>> rule) {
            return new Placing(rule, null);
        }

        static Placing by(AllocationStrategy strategy) {
            return new Placing(null, strategy);
        }

        Future<ShardAllocation> ours() {
            return Objects.requireNonNull(rule, "a rule or a strategy").get();
        }
    }

    /** Environment of the coordinators of a node. */
    record Place(NodeId self, ControlLink link, ControlLoop loop, Context context, EventRecorder recorder) {}

    /**
     * @param region whose definition places the type's shards; null where this node has not started the type
     * @param remembered where the type's entities are remembered
     */
    CoordinatorCommandRunner(
            String type,
            Coordinator coordinator,
            @Nullable RegionControl<?> region,
            Place place,
            Placing placing,
            Supplier<Future<RememberedEntitiesStore>> remembered) {
        this.self = place.self();
        this.type = type;
        this.coordinator = coordinator;
        this.region = region;
        this.link = place.link();
        this.loop = place.loop();
        this.context = place.context();
        this.recorder = place.recorder();
        this.placing = placing;
        this.remembered = remembered;
    }

    /** Whether it is this coordinator's, and has the definition of the region that the node has now, if it has one. */
    boolean isOf(Coordinator other, @Nullable RegionControl<?> present) {
        return coordinator == other && (present == null || present == region);
    }

    private void step(CoordinatorEvent event) {
        loop.run((machine, at) -> machine.coordinate(type, coordinator.term(), event, at));
    }

    void recordMoves() {
        coordinator.takePlacedShards().forEach(shard -> recorder.placed(type, shard));
        coordinator.takeEndedMoves().forEach(move -> recorder.moved(type, move));
    }

    void noteOpening() {
        if (!open && coordinator.isOpen()) {
            open = true;
            LOG.debug(
                    "type={} term={}: shards may be assigned, all leases of earlier terms have expired",
                    type,
                    coordinator.term().number());
        }
    }

    @Override
    public void send(CoordinatorCommand.Send command) {
        link.send(command.to(), new ControlMessage.ForRegion(self, coordinator.term(), type, command.message()));
    }

    /** Each shard after the one before it has its home, or a thousand at once would all go to the same region. */
    @Override
    public void placeShard(CoordinatorCommand.PlaceShard command) {
        CoordinatorEvent placed = place(command);
        if (placed != null) {
            step(placed);
        }
    }

    private @Nullable CoordinatorEvent place(CoordinatorCommand.PlaceShard command) {
        int shard = command.shard();
        AllocationStrategy strategy = placing.strategy();
        if (strategy == null) {
            Future<ShardAllocation> rule = placing.ours();
            if (rule.succeeded()) {
                return place(command, rule.result());
            }
            rule.onSuccess(known -> step(place(command, known)));
            return null;
        }
        Future<NodeId> answer = UserCode.call(
                () -> strategy.allocateShard(shard, command.requester(), FixedSnapshot.copyOf(coordinator.snapshot())));
        if (answer.succeeded()) {
            return new CoordinatorEvent.ShardPlaced(shard, answer.result());
        }
        answer.timeout(STRATEGY_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .onComplete(result -> context.runOnContext(ignored -> {
                    if (result.failed()) {
                        LOG.error(
                                "type={} shard={}: the allocation strategy gave no home", type, shard, result.cause());
                    }
                    step(new CoordinatorEvent.ShardPlaced(shard, result.result()));
                }));
        return null;
    }

    /** Looks at the homes of this moment: shards that were wanted at the same time may have theirs by now. */
    private CoordinatorEvent place(CoordinatorCommand.PlaceShard command, ShardAllocation rule) {
        NodeId home = rule.allocate(command.shard(), command.requester(), coordinator.snapshot())
                .orElse(null);
        return new CoordinatorEvent.ShardPlaced(command.shard(), home);
    }

    @Override
    public void chooseMoves(CoordinatorCommand.ChooseMoves command) {
        AllocationStrategy strategy = placing.strategy();
        if (strategy == null) {
            placing.ours().onSuccess(rule -> chosen(rule.rebalance(coordinator.snapshot()), command.most()));
            return;
        }
        if (choosing) {
            return;
        }
        choosing = true;
        UserCode.call(() -> strategy.rebalance(FixedSnapshot.copyOf(coordinator.snapshot())))
                .timeout(STRATEGY_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .map(Set::copyOf)
                .onComplete(result -> context.runOnContext(ignored -> {
                    choosing = false;
                    if (result.succeeded()) {
                        chosen(result.result(), command.most());
                    } else {
                        LOG.error("type={}: the allocation strategy chose no moves", type, result.cause());
                    }
                }));
    }

    private void chosen(Set<Integer> moves, int most) {
        if (!moves.isEmpty()) {
            LOG.debug(
                    "type={} term={}: moving shards {}",
                    type,
                    coordinator.term().number(),
                    moves);
        }
        step(new CoordinatorEvent.MovesChosen(moves, most));
    }

    @Override
    public void readRememberedShards(CoordinatorCommand.ReadRememberedShards command) {
        remembered
                .get()
                .compose(store -> store.shards(type).timeout(STORE_TIMEOUT_MS, TimeUnit.MILLISECONDS))
                .onComplete(result -> context.runOnContext(ignored -> {
                    if (result.failed()) {
                        LOG.warn(
                                "type={}: cannot read which shards have remembered entities, retrying",
                                type,
                                result.cause());
                    }
                    step(new CoordinatorEvent.RememberedShardsRead(result.result()));
                }));
    }

    @Override
    public void confirmTerm(CoordinatorCommand.ConfirmTerm command) {
        throw new IllegalStateException("the term is confirmed by the machine");
    }

    @Override
    public void exceedTerm(CoordinatorCommand.ExceedTerm command) {
        throw new IllegalStateException("the term is raised by the machine");
    }

    @Override
    public void report(CoordinatorCommand.Report command) {
        recorder.noted(type, coordinator.term().number(), command);
        if (command.warning()) {
            LOG.warn("type={} term={}: {}", type, coordinator.term().number(), command.text());
        } else {
            LOG.atLevel(link.isWithin() ? Level.DEBUG : Level.INFO)
                    .log("type={} term={}: {}", type, coordinator.term().number(), command.text());
        }
    }
}
