package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.vertx.pgclient.PgException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @DisplayName("in a transaction of a view is the store's where the server could not, else the handler's")
    @CsvSource({
        "40P01, REPEAT",
        "40001, REPEAT",
        "55P03, REPEAT",
        "25006, BLOCKED",
        "53100, BLOCKED",
        "53200, UNREACHABLE",
        "23505, ",
        "22012, ",
        "42P01, ",
        "57014, "
    })
    void ofATransaction(String state, @Nullable Kind kind) {
        var failure = new PgException("it says so", "ERROR", state, "");
        Throwable told = PostgresFailures.ofTransaction("postgresql://db/x", failure);
        if (kind == null) {
            assertSame(failure, told);
        } else {
            assertEquals(kind, assertInstanceOf(StoreException.class, told).kind());
        }
    }
}
