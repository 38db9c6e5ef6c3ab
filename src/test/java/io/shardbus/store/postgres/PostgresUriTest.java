package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.options.PostgresOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.Test;

class PostgresUriTest {
    @Test
    void anAddressThatCannotBeReadIsRefusedWithoutItsPassword() {
        Vertx vertx = Vertx.vertx();
        try {
            PostgresOptions options = new PostgresOptions().setUri("postgresql://u:secret@127.0.0.1:99999/db");
            var refusal = assertThrows(IllegalArgumentException.class, () -> PostgresStore.create(vertx, options));
            assertFalse(refusal.getMessage().contains("secret"), refusal::getMessage);
            assertTrue(refusal.getMessage().contains("a port from 1 to 65535"), refusal::getMessage);
            assertNull(refusal.getCause(), "its text would be logged");
        } finally {
            ClusterTestKit.await(vertx.close());
        }
    }
}
