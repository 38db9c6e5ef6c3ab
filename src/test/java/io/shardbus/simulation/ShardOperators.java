package io.shardbus.simulation;

import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Operators who move and pin shards, cordon nodes and pause rebalancing, and who take that back after a while. */
final class ShardOperators {
    private static final long ASK_AGAIN = 100;
    /** Another node coordinates after a second of it. */
    private static final long FROZEN = 2_100;

    private static final long AT_ITS_WRITE = 15;

    /** A node that was never there. */
    private static final NodeId NO_NODE = new NodeId("n0");

    private static final Set<Kind> GIVEN_HERE = EnumSet.of(Kind.PIN, Kind.CORDON, Kind.PAUSE);

    private final Simulation world;
    private final Faults faults;
    private final SplittableRandom mistakes;
    private boolean stopped;

    ShardOperators(Simulation world, Faults faults) {
        this.world = world;
        this.faults = faults;
        this.mistakes = world.dice("mistakes of operators");
    }

    /** Some orders within two seconds. */
    void inflict(SplittableRandom random) {
        for (int orders = 2 + random.nextInt(6); orders > 0; orders--) {
            SplittableRandom dice = random.split();
            faults.later(random.nextInt(2_000), () -> giveAny(dice));
        }
        if (mistakes.nextInt(3) == 0) {
            faults.later(mistakes.nextInt(2_000), () -> give(new OperatorOrder(Kind.DRAIN, "", NO_NODE, -1)));
        }
        boolean freezes = world.options().faults.contains(Fault.FREEZE)
                || world.options().faults.contains(Fault.COORDINATOR_FREEZE);
        if (freezes && mistakes.nextInt(2) == 0) {
            faults.later(mistakes.nextInt(2_000), this::freezeWhileItWrites);
        }
    }

    /** The coordinator freezes while it writes an order, and the write takes effect when another node coordinates. */
    private void freezeWhileItWrites() {
        SimNode coordinator = world.coordinatorNode();
        SimNode home = faults.anyone();
        if (coordinator == null || home == null || home == coordinator || stopped) {
            return;
        }
        SimType type = world.types().get(0);
        world.orders().stallWrite(coordinator.id, 1_000 + mistakes.nextInt(800));
        give(order(Kind.PIN, type, home.id, mistakes.nextInt(type.shards())));
        faults.later(AT_ITS_WRITE, () -> faults.freeze(coordinator, FROZEN));
    }

    private void giveAny(SplittableRandom random) {
        SimNode node = faults.anyone();
        if (node == null || stopped) {
            return;
        }
        SimType type = world.types().get(random.nextInt(world.types().size()));
        int shard = random.nextInt(type.shards());
        Kind kind = List.of(Kind.MOVE, Kind.MOVE, Kind.PIN, Kind.PIN, Kind.UNPIN, Kind.CORDON, Kind.PAUSE)
                .get(random.nextInt(7));
        switch (kind) {
            case MOVE -> give(order(kind, type, random.nextInt(3) == 0 ? null : node.id, shard));
            case PIN -> give(order(kind, type, node.id, shard));
            case UNPIN -> give(order(kind, type, null, shard));
            case CORDON -> {
                if (faults.othersAccept(node)) {
                    forAWhile(order(kind, type, node.id, -1), random);
                }
            }
            default -> forAWhile(order(kind, type, null, -1), random);
        }
    }

    private static OperatorOrder order(Kind kind, SimType type, @Nullable NodeId node, int shard) {
        return new OperatorOrder(kind, type.name(), node, shard);
    }

    private void forAWhile(OperatorOrder order, SplittableRandom random) {
        give(order);
        faults.later(200L + random.nextInt(3_000), () -> give(inverse(order)));
    }

    /** The present coordinator gets it, if there is one, and may refuse it. */
    private void give(OperatorOrder order) {
        SimNode coordinator = world.coordinatorNode();
        if (coordinator != null) {
            world.timeline().turn(coordinator, "is asked", order);
            coordinator.onControl(0, () -> carryOut(order, coordinator));
        }
    }

    private void carryOut(OperatorOrder order, SimNode node) {
        Coordinator coordinator = node.control.coordinator(order.type());
        boolean ofAll = order.type().isEmpty();
        if (ofAll
                || coordinator != null
                        && coordinator.refusal(order, node.clock()).isEmpty()) {
            node.control.orders().give(order, answer -> {
                // it is given again at the end if it is still to be taken back
            });
        }
    }

    private static OperatorOrder inverse(OperatorOrder order) {
        Kind back = switch (order.kind()) {
            case PIN -> Kind.UNPIN;
            case CORDON -> Kind.UNCORDON;
            case PAUSE -> Kind.RESUME;
            default -> throw new IllegalArgumentException(order.toString());
        };
        return new OperatorOrder(back, order.type(), back == Kind.UNPIN ? null : order.node(), order.shard());
    }

    /** At the end no order stands; drains are taken back by those who gave them. */
    void stop() {
        stopped = true;
        List<OperatorOrder> stand = world.orders().stand().given().stream()
                .map(StandingOrders.Given::order)
                .filter(order -> GIVEN_HERE.contains(order.kind()))
                .toList();
        // a slow write may take hold after a look that found nothing
        if (!stand.isEmpty() || world.orders().mayStillChange()) {
            stand.forEach(order -> give(inverse(order)));
            faults.later(ASK_AGAIN, this::stop);
        }
    }

    /** Whether a node gets no more shards of a type. */
    boolean isCordoned(SimNode node, SimType type) {
        return world.orders().stand().cordoned(type.name()).contains(node.id);
    }
}
