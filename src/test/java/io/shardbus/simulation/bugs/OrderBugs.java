package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes about orders of operators that move and pin shards, cordon nodes and pause rebalancing. */
final class OrderBugs {
    private static final String ORDERS = "coordinator/Orders.java";
    private static final String COORDINATOR = "coordinator/Coordinator.java";
    private static final String BOOK = "control/OrderBook.java";
    private static final String SHARD_ORDERS = "coordinator/ShardOrders.java";

    private OrderBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("an operator's pause is not taken back", "orders", Family.ORDERED, 4, 5)
                    .in(ORDERS, "shardOrders.pause(false);", "shardOrders.pause(shardOrders.isPaused());"),
            SeededBug.of("an operator's cordon is not taken back", "orders", Family.ORDERED, 11, 4)
                    .in(
                            ORDERS,
                            "table.cordon(node, order.kind() == OperatorOrder.Kind.CORDON);",
                            "table.cordon(node, true);"),
            SeededBug.of("an operator's pin is not taken back", "orders", Family.ORDERED, 2, 10)
                    .in(SHARD_ORDERS, "pins.remove(shard);", "pins.get(shard);"),
            SeededBug.of("a move begins before shards may have homes", "orders", Family.ORDERED, 3, 1)
                    .in(COORDINATOR, "moves.proceed(mayMove(), now);", "moves.proceed(true, now);"),
            SeededBug.rare("a predecessor is not shut out of the orders", "orders", Family.ORDERED, 77, 1, 116)
                    .in(BOOK, "now.isOfBefore(term) && hasRoom()", "now.isOfBefore(TermId.NONE) && hasRoom()"),
            SeededBug.of("a drain that was refused goes on", "orders", Family.ORDERED, 4, 10)
                    .in(BOOK, "            if (begins) {\n", "            if (begins && tries > TRIES) {\n"),
            SeededBug.rare("an operation that does not end holds the later orders", "orders", Family.ORDERED, 19, 2, 57)
                    .in(BOOK, "if (underWay && turn.now()", "if (underWay && operation < 0 && turn.now()"),
            SeededBug.of("an order of an earlier reign is followed", "orders", Family.ORDERED, 33, 2)
                    .in(
                            BOOK,
                            "present != null && reigns(of)) {\n            present.takeUp(",
                            "present != null) {\n            present.takeUp("));
}
