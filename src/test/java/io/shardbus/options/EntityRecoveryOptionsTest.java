package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityRecoveryOptionsTest {
    @Test
    void keepsWhatItIsGiven() {
        EntityRecoveryOptions options = new EntityRecoveryOptions()
                .setStrategy("constant")
                .setRate(7)
                .setIntervalMs(70)
                .setRestartBackoffMs(20)
                .setRestartMaxBackoffMs(30);
        assertDoesNotThrow(options::validate);
        assertEquals(options, new EntityRecoveryOptions(options));
        assertEquals(options.hashCode(), new EntityRecoveryOptions(options.toJson()).hashCode());
        assertTrue(options.toString().contains("\"rate\":7"), options.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"strategy":"slow"} | 'entityRecovery.strategy' = "slow": must be one of all, constant
            {"rate":0} | 'entityRecovery.rate' = 0: must be a whole number in 1..1000000
            {"intervalMs":0} | 'entityRecovery.intervalMs' = 0: must be a whole number in 1..3600000
            {"restartBackoffMs":9} | 'entityRecovery.restartBackoffMs' = 9: must be a whole number in 10..3600000
            {"restartMaxBackoffMs":999} | 'entityRecovery.restartMaxBackoffMs' = 999: must be at least restartBackoffMs, which is 1000
            {"rates":5} | unknown option 'entityRecovery.rates'
            """)
    void refusesWhatIsOutOfRange(String json, String problem) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> new EntityRecoveryOptions(new JsonObject(json)).validate());
        assertTrue(String.valueOf(refusal.getMessage()).contains(problem), refusal.getMessage());
    }
}
