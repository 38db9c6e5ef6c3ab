package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LatestOrdersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final LatestOrders orders = new LatestOrders();
    private final List<Promise<String>> answers = new ArrayList<>();

    /** An order that waits for its answer: whether it may be repeated. */
    private BooleanSupplier give(Kind kind, String type, @Nullable NodeId node, int shard) {
        List<BooleanSupplier> wanted = new ArrayList<>();
        orders.give(new OperatorOrder(kind, type, node, shard), isLatest -> {
            wanted.add(isLatest);
            Promise<String> answer = Promise.promise();
            answers.add(answer);
            return answer.future();
        });
        return wanted.get(0);
    }

    @Test
    void anEarlierOrderIsReplacedByItsOpposite() {
        BooleanSupplier cordon = give(Kind.CORDON, "", A, -1);
        assertTrue(cordon.getAsBoolean());
        BooleanSupplier uncordon = give(Kind.UNCORDON, "", A, -1);
        assertFalse(cordon.getAsBoolean());
        assertTrue(uncordon.getAsBoolean());
        answers.get(1).complete("done");
        assertFalse(cordon.getAsBoolean(), "also when the later one has its answer");
    }

    @Test
    void theAnswerToAnEarlierOrderLeavesTheLaterOne() {
        give(Kind.PIN, "type", A, 5);
        BooleanSupplier unpin = give(Kind.UNPIN, "type", null, 5);
        answers.get(0).complete("done");
        assertTrue(unpin.getAsBoolean());
    }

    @Test
    void ordersOnOtherSubjectsReplaceNothing() {
        BooleanSupplier pin = give(Kind.PIN, "type", A, 5);
        BooleanSupplier move = give(Kind.MOVE, "type", A, 5);
        BooleanSupplier pause = give(Kind.PAUSE, "type", null, -1);
        give(Kind.PIN, "type", A, 6);
        give(Kind.MOVE, "type", A, 6);
        give(Kind.PAUSE, "another", null, -1);
        give(Kind.CORDON, "", A, -1);
        give(Kind.DRAIN, "", A, -1);
        assertTrue(pin.getAsBoolean());
        assertTrue(move.getAsBoolean(), "a pin of the shard makes no move of it");
        assertTrue(pause.getAsBoolean());
        give(Kind.MOVE, "type", B, 5);
        assertFalse(move.getAsBoolean());
    }

    @Test
    void theAnswerIsThatOfTheOrder() {
        Future<String> answer =
                orders.give(new OperatorOrder(Kind.PAUSE, "", null, -1), isLatest -> Future.succeededFuture("done"));
        assertTrue("done".equals(answer.result()));
    }
}
