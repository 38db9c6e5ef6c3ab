package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
            assertEquals(10, log.with("entity many").size());
            clock.set(24 * 3_600_000);
            deadLetter("late");
            assertEquals(
                    "WARN type=cart shard=0: a message for entity late was not delivered: too many (MAILBOX_FULL),"
                            + " counted as dead_letters"
                            + " (90 before it not logged)",
                    log.with("entity late").get(0));
        }
        assertEquals(101, counters.snapshot().get("dead_letters"));
    }

    @Test
    void theReferenceListsEveryCounter() throws IOException {
        for (RestartPolicy.Action action : RestartPolicy.Action.values()) {
            counters.treated(action);
        }
        for (StateTransferOutcome outcome : StateTransferOutcome.values()) {
            counters.handedOver(outcome, 1);
        }
        deadLetter("a");
        counters.handlerFailed();
        counters.undrained("cart", 1, Set.of(new NodeId("a")), 3_000);
        counters.moveDeclined("cart", "a", 1, 3, "too large");
        counters.notAnswering(1);
        counters.busMessageRefused();
        counters.busEntityRefused();
        counters.passivated();
        counters.stoppedByForce("cart", "1", 1, StopReason.HANDOFF, 3_000);
        counters.leaseLost();
        counters.shardLeaseFailed();
        counters.shardHandedOff();
        counters.homesRequested(1);
        counters.memoryFailed();
        counters.metricsFailed();
        counters.storeFailed("cart", "no route to host");
        counters.storeRegressed();
        counters.reminderFailed();
        counters.memoryTroubled(true);
        Set<String> listed = Files.readAllLines(Path.of("docs", "reference", "counters.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .flatMap(names -> Pattern.compile("`(\\w+)`").matcher(names).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(counters.snapshot().keySet()), listed);
    }
}
