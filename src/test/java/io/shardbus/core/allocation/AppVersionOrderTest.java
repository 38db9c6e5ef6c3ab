package io.shardbus.core.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppVersionOrderTest {
    @Test
    void everyVersionIsOlderThanTheNext() {
        List<String> ascending = List.of(
                "beta",
                "snapshot",
                "0.9",
                "1.M1",
                "1.0-RC1",
                "1.0-RC2",
                "1.0",
                "1.2",
                "1.9",
                "1.10",
                "1.10.1",
                "2.0+b",
                "2.0-a",
                "2",
                "20241231235959",
                "99999999999999999999999");
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                int order = AppVersionOrder.OLDER_FIRST.compare(ascending.get(i), ascending.get(j));
                assertEquals(
                        Integer.compare(i, j), Integer.signum(order), ascending.get(i) + " and " + ascending.get(j));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1.0.0", "1.02, 1.2", "'', 0.0", "1.0-RC1, 1-RC1"})
    void treatsAsEqual(String a, String b) {
        assertEquals(0, AppVersionOrder.OLDER_FIRST.compare(a, b));
        assertEquals(0, AppVersionOrder.OLDER_FIRST.compare(b, a));
    }
}
