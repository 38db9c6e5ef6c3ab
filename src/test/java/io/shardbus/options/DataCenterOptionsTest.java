package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataCenterOptionsTest {
    private static DataCenterOptions valid() {
        return new DataCenterOptions().setName("east").setOthers(Map.of("west", List.of("127.0.0.1:7700")));
    }

    private static String refusal(DataCenterOptions options) {
        return assertThrows(IllegalArgumentException.class, options::validate).getMessage();
    }

    @Test
    void areTheSameAfterAWayThroughJson() {
        var options = valid().setPort(7700)
                .setTls(new TlsOptions().setCertificate("c").setKey("k").setTrust("t"))
                .setMaxPending(5)
                .setHeartbeatIntervalMs(50)
                .setUnreachableAfterMs(100);
        options.validate();
        assertEquals(options, new DataCenterOptions(options.toJson()));
        assertEquals(options, new DataCenterOptions(options));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"name": ""}                        | name
            {"name": "a b"}                     | name
            {"port": 70000}                     | port
            {"heartbeatIntervalMs": 5}          | heartbeatIntervalMs
            {"unreachableAfterMs": 1999}        | unreachableAfterMs
            {"maxPending": 0}                   | maxPending
            {"others": {"west": []}}            | others.west
            {"others": {"west": ["host"]}}      | others.west
            {"others": {"east": ["127.0.0.1:1"]}} | own data center
            {"host": "10.0.0.1"}                | option 'tls' is not set
            {"others": {"west": ["10.0.0.1:7700"]}} | option 'tls' is not set
            """)
    void refuseWhatIsOutOfRange(String changed, String named) {
        var json = valid().toJson().mergeIn(new JsonObject(changed));
        var refusal = refusal(new DataCenterOptions(json));
        assertTrue(refusal.contains(named), refusal);
    }

    @Test
    void refuseAnUnknownKeyAndAWrongType() {
        assertThrows(IllegalArgumentException.class, () -> new DataCenterOptions(new JsonObject().put("nam", "x")));
        assertThrows(IllegalArgumentException.class, () -> new DataCenterOptions(new JsonObject().put("port", "x")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"name": null}                      | name
            {"port": null}                      | port
            {"port": 7700.5}                    | port
            {"heartbeatIntervalMs": 50.9}       | heartbeatIntervalMs
            {"unreachableAfterMs": null}        | unreachableAfterMs
            {"maxPending": 4294967297}          | maxPending
            {"others": null}                    | others
            {"others": {"west": null}}          | others
            {"others": {"west": [null]}}        | others
            {"tls": null}                       | tls
            """)
    void refuseWhatIsNoValueOfTheKey(String json, String named) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> new DataCenterOptions(new JsonObject(json)))
                .getMessage();
        assertTrue(refusal.contains("'" + named + "'"), refusal);
    }
}
