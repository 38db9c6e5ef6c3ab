package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.vertx.pgclient.PgException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What PostgreSQL fails with")
class PostgresFailuresTest {
    private static StoreException of(String state) {
        return PostgresFailures.of("postgresql://db/x", new PgException("it says so", "ERROR", state, ""));
    }

    @Test
    @DisplayName("says what to do when the disk is full, and that nothing is stored")
    void full() {
        assertEquals(Kind.BLOCKED, of("53100").kind());
        String text = String.valueOf(of("53100").getMessage());
        assertTrue(text.contains("53100 it says so. Make room on the disk of the server"), text);
        assertEquals(Kind.BLOCKED, of("25006").kind());
        assertFalse(String.valueOf(of("25006").getMessage()).contains("Make room"), "read only");
    }
}
