package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An order that the coordinator refuses, in its first reign and in the first minute of the next one. */
class EarlyRefusalTest {
    private final CutOffNode node = new CutOffNode();
    private final EntityType<String> type = LoneNode.newType();

    @AfterEach
    void close() {
        node.close();
    }

    private boolean coordinatesTheType() {
        return Await.result(node.answer(new Query.TableOf(type.name()))
                .map(table -> !table.regions().isEmpty())
                .otherwise(false));
    }

    @Test
    void whatRegionsThatMayStillRegisterLackIsNoReasonToRefuse() {
        Entity<String> entity = (message, context) -> Future.succeededFuture(message);
        node.start(EntityDefinition.of(type, id -> entity).withRetryInterval(Duration.ofMinutes(1)));
        Query.Order move = new Query.Order(new OperatorOrder(OperatorOrder.Kind.MOVE, type.name(), null, 0));
        until("the type has a coordinator", this::coordinatesTheType);
        assertEquals(
                "shard 0 has no home that it could leave",
                Await.result(node.answer(move)).refusal());
        node.cutOff();
        until("the reign is over", () -> !coordinatesTheType());
        node.reconnect();
        until("the type has another coordinator", this::coordinatesTheType);
        assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(node.answer(move)));
    }
}
