package io.shardbus.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill", "term", "stop2", "stop35", "cut", "cut8", "mute", "deaf3", "link", "flap", "flap20", "apart",
                "killall", "server"
            })
    void isNamedAsItIsWritten(String name) {
        assertEquals(name, Fault.of(name).text());
        assertEquals(1, Fault.of(name).nodes());
    }

    @Test
    void hasAUsualLengthThatIsNotWritten() {
        assertEquals(Fault.CUT, Fault.of("cut15"));
        assertEquals("cut", Fault.of("cut15").text());
        assertEquals(Fault.STOP10, Fault.of("stop"));
        assertEquals("stop10", Fault.STOP10.text());
    }

    @Test
    void happensToTwoNodesAtOnce() {
        var both = Fault.of("stop10+link8");
        assertEquals("stop10+link8", both.text());
        assertEquals(2, both.nodes());
        assertTrue(both.needsNet());
        assertFalse(Fault.of("stop10+kill").needsNet());
    }

    @Test
    void areSeparatedByCommas() {
        assertEquals(List.of(Fault.KILL, Fault.STOP2), Fault.parse("kill, stop2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "stop0", "kill3", "freeze", "cut+", "cut+kill+term", "STOP2", "link-3"})
    void otherWordsAreRefused(String name) {
        assertThrows(IllegalArgumentException.class, () -> Fault.of(name));
    }
}
