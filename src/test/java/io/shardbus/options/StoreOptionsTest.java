package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.persistence.spi.StoreLimits;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The options of a store")
class StoreOptionsTest {
    private static final String FILE = "accounts.db";
    private static final String URI = "postgresql://localhost/accounts";

    @Test
    @DisplayName("have the limits' own defaults")
    void defaults() {
        assertEquals(StoreLimits.DEFAULT, new SqliteOptions().limits());
        assertEquals(StoreLimits.DEFAULT, new PostgresOptions().limits());
    }

    @Test
    @DisplayName("are read from JSON, copied and written")
    void json() {
        JsonObject json = new JsonObject()
                .put("storeTimeoutMs", 700)
                .put("storePatienceMs", 800)
                .put("commitsInFlight", 3)
                .put("commitQueueBytes", 2_000_000)
                .put("recoveriesInFlight", 5);
        StoreLimits limits = new StoreLimits(800, 3, 2_000_000, 5);
        SqliteOptions sqlite = new SqliteOptions(new SqliteOptions(json.copy().put("file", FILE)));
        sqlite.validate();
        assertEquals(limits, sqlite.limits());
        assertEquals(700, sqlite.getStoreTimeoutMs());
        assertEquals(json.copy().put("file", FILE), sqlite.toJson());
        PostgresOptions postgres =
                new PostgresOptions(new PostgresOptions(json.copy().put("uri", URI)));
        postgres.validate();
        assertEquals(limits, postgres.limits());
        assertEquals(json.copy().put("partitions", 1), new JsonObject(postgres.toString()), "without the address");
    }

    @ParameterizedTest
    @DisplayName("are refused out of their range, with key, value and range")
    @CsvSource({
        "storeTimeoutMs, 99, 100..600000",
        "storePatienceMs, 600001, 100..600000",
        "commitsInFlight, 0, 1..16",
        "commitsInFlight, 17, 1..16",
        "commitQueueBytes, 1048575, 1048576..1073741824",
        "recoveriesInFlight, 65, 1..64"
    })
    void ranges(String key, long value, String range) {
        JsonObject json = new JsonObject().put(key, value);
        IllegalArgumentException sqlite = assertThrows(
                IllegalArgumentException.class, new SqliteOptions(json.copy().put("file", FILE))::validate);
        IllegalArgumentException postgres = assertThrows(
                IllegalArgumentException.class, new PostgresOptions(json.copy().put("uri", URI))::validate);
        for (IllegalArgumentException refusal : new IllegalArgumentException[] {sqlite, postgres}) {
            String text = String.valueOf(refusal.getMessage());
            assertTrue(text.contains("'" + key + "' = " + value) && text.contains(range), text);
        }
    }

    @ParameterizedTest
    @DisplayName("are refused where a number is none, has a fraction or is too large, with the key")
    @CsvSource({
        "storeTimeoutMs, 5000.7",
        "storePatienceMs, null",
        "commitsInFlight, 4294967297",
        "commitsInFlight, 1.5",
        "commitQueueBytes, 18446744073711551616",
        "recoveriesInFlight, 4294967300",
        "recoveriesInFlight, '\"5\"'"
    })
    void noWholeNumbers(String key, String value) {
        JsonObject json = new JsonObject("{\"" + key + "\": " + value + "}");
        for (Executable read : List.<Executable>of(
                () -> new SqliteOptions(json.copy().put("file", FILE)).validate(),
                () -> new PostgresOptions(json.copy().put("uri", URI)).validate())) {
            String text = String.valueOf(
                    assertThrows(IllegalArgumentException.class, read).getMessage());
            assertTrue(text.contains("'" + key + "'"), text);
        }
    }

    @Test
    @DisplayName("of PostgreSQL: partitions are whole, and an address that is null is refused")
    void ofPostgres() {
        for (Object partitions : new Object[] {2.5, 4_294_967_298L}) {
            JsonObject json = new JsonObject().put("uri", URI).put("partitions", partitions);
            assertThrows(IllegalArgumentException.class, () -> new PostgresOptions(json).validate());
        }
        assertThrows(IllegalArgumentException.class, () -> new PostgresOptions(new JsonObject().putNull("uri")));
        assertThrows(IllegalArgumentException.class, () -> new SqliteOptions(new JsonObject().putNull("file")));
    }
}
