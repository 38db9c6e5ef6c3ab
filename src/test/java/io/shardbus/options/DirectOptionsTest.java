package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectOptionsTest {
    @Test
    void keepsWhatItIsGiven() {
        DirectOptions options = new DirectOptions()
                .setEnabled(true)
                .setHost("10.0.0.1")
                .setPorts("4000-4031")
                .setTlsKey("key.pem")
                .setTlsCertificate("node.pem")
                .setTlsTrust("ca.pem");
        assertDoesNotThrow(options::validate);
        assertEquals(4000, options.firstPort());
        assertEquals(4031, options.lastPort());
        assertTrue(options.isTls());
        assertEquals(options, new DirectOptions(options));
        assertEquals(options.hashCode(), new DirectOptions(options.toJson()).hashCode());
        assertTrue(options.toString().contains("\"ports\":\"4000-4031\""), options.toString());
        assertFalse(new DirectOptions().isEnabled(), "off by default");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"enabled":1} | 'direct.enabled' = 1: must be true or false
            {"host":"a b"} | 'direct.host' = "a b": must be the name or address of an interface of this node, or empty
            {"ports":"4001-4000"} | 'direct.ports' = "4001-4000": must be 0, one port, or a range of ports
            {"ports":"1-65536"} | 'direct.ports' = "1-65536": must be 0, one port, or a range of ports
            {"ports":"0-5"} | 'direct.ports' = "0-5": must be 0, one port, or a range of ports
            {"tlsKey":"key.pem"} | must be given all of tlsKey, tlsCertificate and tlsTrust, or none of them
            {"port":5} | unknown option 'direct.port'
            """)
    void refusesWhatIsOutOfRange(String json, String problem) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new DirectOptions(new JsonObject(json)).validate());
        assertTrue(String.valueOf(refusal.getMessage()).contains(problem), refusal.getMessage());
    }
}
