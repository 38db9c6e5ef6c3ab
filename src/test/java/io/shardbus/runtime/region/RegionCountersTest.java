package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.FailureCode;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.integration.LogLines;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RegionCountersTest {
    private final AtomicLong clock = new AtomicLong();
    private final RegionCounters counters = new RegionCounters(clock::get);

    private void deadLetter(String id) {
        Failure reason = Failure.of(FailureCode.MAILBOX_FULL, "too many");
        counters.deadLetter("cart", new Envelope(0, id, "secret", 0, null), reason);
    }

    @Test
    void aDeadLetterOfAnotherDayIsLogged() {
        try (LogLines log = new LogLines(RegionCounters.class.getName())) {
            for (int i = 0; i < 100; i++) {
                deadLetter("many");
            }
            assertEquals(10, log.with("cart/many").size());
            clock.set(24 * 3_600_000);
            deadLetter("late");
            assertEquals(
                    "WARN a message for cart/late was not delivered: too many (MAILBOX_FULL), counted as dead_letters"
                            + " (90 before it not logged)",
                    log.with("cart/late").get(0));
        }
        assertEquals(101, counters.snapshot().get("dead_letters"));
    }
}
