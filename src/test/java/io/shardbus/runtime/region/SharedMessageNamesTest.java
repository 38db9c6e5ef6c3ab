package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.latency.MessageNames;
import org.junit.jupiter.api.Test;

class SharedMessageNamesTest {
    private final SharedMessageNames names = new SharedMessageNames();

    @Test
    void classesBeyondTheBoundShareANameAndEarlierOnesKeepTheirs() {
        Class<?> dimension = int.class;
        for (int i = 0; i < SharedMessageNames.MOST; i++) {
            assertEquals(dimension.getSimpleName(), names.of(dimension));
            dimension = dimension.arrayType();
        }
        assertEquals(MessageNames.OTHER, names.of(dimension));
        assertEquals("int", names.of(int.class));
        assertEquals(MessageNames.OTHER, names.of(String.class));
    }

    @Test
    void aClassWithoutANameHasTheEndOfItsLongOne() {
        var anonymous = new Object() {};
        assertEquals("SharedMessageNamesTest$1", names.of(anonymous.getClass()));
    }
}
