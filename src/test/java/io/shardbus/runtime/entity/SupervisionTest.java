package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.RestartPolicy.Action;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class SupervisionTest {
    private static final EntityDefinition<String> DEFINITION = EntityDefinition.of(
                    EntityType.of("supervised", String.class),
                    id -> (Entity<String>) (message, context) -> Future.succeededFuture())
            .withRestartPolicy(RestartPolicy.restart())
            .withRestartPolicy(IllegalStateException.class, RestartPolicy.stop());

    private final Supervision supervision = new Supervision();

    @Test
    void thePolicyIsThatOfTheFailureWhileItIsAsked() {
        supervision.ask(
                new IllegalStateException("no"),
                () -> assertEquals(RestartPolicy.stop(), supervision.policy(DEFINITION)));
        assertEquals(RestartPolicy.restart(), supervision.policy(DEFINITION));
    }

    @Test
    void showsTheLastFailureAndCountsRestarts() {
        assertNull(supervision.last(0), "there was none");
        var first = new IllegalStateException("x".repeat(1_000));
        supervision.ask(first, () -> assertSame(first, supervision.treated(Action.RESTARTED, 10)));
        supervision.ask(first, () -> supervision.treated(Action.RESUMED, 20));
        assertEquals(1, supervision.restarts());
        var shown = supervision.last(50);
        assertEquals(500, shown == null ? 0 : shown.text().length());
        assertEquals(30, shown == null ? 0 : shown.agoMs());
    }

    @Test
    void aCallThatThrewAtItsCellIsTreatedWithACauseOfItsOwn() {
        Throwable cause = supervision.treated(Action.STOPPED, 0);
        assertEquals("a call of its code has thrown", cause.getMessage());
    }
}
