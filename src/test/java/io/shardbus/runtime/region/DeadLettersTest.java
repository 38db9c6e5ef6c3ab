package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The dead letters of a region")
class DeadLettersTest {
    private final AtomicLong now = new AtomicLong(1_000);
    private final ElapsedClock clock = ElapsedClock.manual(now::get);
    private final DeadLetters letters = new DeadLetters(clock::now);

    private void add(String id, String reason) {
        letters.add(new Envelope(3, id, "secret", 0, null), Failure.of(FailureCode.MAILBOX_FULL, reason));
    }

    private List<DeadLetter> latest() {
        return letters.latest(new NodeId("a"), "cart", clock);
    }

    @Test
    @DisplayName("are the last 100, the latest first, with their times and without the messages")
    void lastOnes() {
        assertEquals(List.of(), latest());
        for (int i = 0; i < DeadLetters.MOST + 20; i++) {
            add("c" + i, "full");
            now.addAndGet(10);
        }
        List<DeadLetter> found = latest();
        assertEquals(DeadLetters.MOST, found.size());
        DeadLetter last = found.get(0);
        assertEquals(
                new DeadLetter(
                        new NodeId("a"),
                        clock.wallMillis() - 10,
                        "cart",
                        3,
                        "c" + (DeadLetters.MOST + 19),
                        "String",
                        "MAILBOX_FULL",
                        "full"),
                last);
        assertEquals("c20", found.get(DeadLetters.MOST - 1).entityId());
        assertTrue(found.stream().noneMatch(letter -> letter.toString().contains("secret")));
    }

    @Test
    @DisplayName("have reasons of 200 characters at most")
    void longReasons() {
        add("c", "x".repeat(DeadLetter.LONGEST_REASON));
        add("d", "x".repeat(DeadLetter.LONGEST_REASON + 1));
        assertEquals(
                "x".repeat(DeadLetter.LONGEST_REASON - 1) + "…", latest().get(0).reason());
        assertEquals("x".repeat(DeadLetter.LONGEST_REASON), latest().get(1).reason());
    }
}
