package io.shardbus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.ConnectionReport.Links;
import org.junit.jupiter.api.Test;

/** Which pairs of lanes count as ways of messages. */
class ConnectionLinksTest {
    private static final Links NONE = new Links(0, 0);

    @Test
    void pairsThatOnlyGreetAreNotCounted() {
        Links links =
                NONE.plus(true, true).plus(false, false).plus(false, false).plus(true, true);
        assertEquals(new Links(2, 2), links);
    }

    @Test
    void aPairThatCarriesMessagesOverTheBusIs() {
        assertEquals(new Links(2, 1), NONE.plus(true, true).plus(true, false));
    }
}
