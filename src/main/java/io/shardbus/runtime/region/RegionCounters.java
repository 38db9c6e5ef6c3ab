package io.shardbus.runtime.region;

import io.shardbus.FailureCode;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.HandoverOutcome;
import io.shardbus.core.protocol.Failure;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a region counts: failures by code, and tells that became dead letters. Any thread. */
public final class RegionCounters {
    private static final Logger LOG = LoggerFactory.getLogger(RegionCounters.class);

    private final Map<FailureCode, LongAdder> failures = new EnumMap<>(FailureCode.class);
    private final Map<HandoverOutcome, LongAdder> handovers = new EnumMap<>(HandoverOutcome.class);
    private final LongAdder deadLetters = new LongAdder();
    private final LongAdder homeRequests = new LongAdder();
    private final LongAdder memoryFailures = new LongAdder();
    private final AtomicInteger withoutMemory = new AtomicInteger();

    public RegionCounters() {
        for (FailureCode code : FailureCode.values()) {
            failures.put(code, new LongAdder());
        }
        for (HandoverOutcome outcome : HandoverOutcome.values()) {
            handovers.put(outcome, new LongAdder());
        }
    }

    public void failed(FailureCode code) {
        counter(code).increment();
    }

    private LongAdder counter(FailureCode code) {
        return Objects.requireNonNull(failures.get(code), "every code has a counter");
    }

    /** Counts a dead letter, and logs the first of all. */
    void deadLetter(String type, Envelope envelope, Failure reason) {
        deadLetters.increment();
        if (deadLetters.sum() == 1) {
            LOG.warn(
                    "a message for {}/{} was not delivered: {} ({}); further ones are counted as dead_letters",
                    type,
                    envelope.entityId(),
                    reason.message(),
                    reason.code());
        }
    }

    /** What became of what so many entities have handed over. */
    void handedOver(HandoverOutcome outcome, int entities) {
        Objects.requireNonNull(handovers.get(outcome), "every outcome has a counter")
                .add(entities);
    }

    /** The coordinator is asked for the homes of this many shards. */
    public void homesRequested(int shards) {
        homeRequests.add(shards);
    }

    /** An operation of the store of remembered entities failed. */
    public void memoryFailed() {
        memoryFailures.increment();
    }

    /** The store begins to fail for a shard, or works again; true for the first such shard and the last. */
    public boolean memoryTroubled(boolean isTroubled) {
        return isTroubled ? withoutMemory.incrementAndGet() == 1 : withoutMemory.decrementAndGet() == 0;
    }

    /** The counters that are not 0, by name. */
    public Map<String, Long> snapshot() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (FailureCode code : FailureCode.values()) {
            long count = counter(code).sum();
            if (count > 0) {
                counts.put(code.name().toLowerCase(Locale.ROOT), count);
            }
        }
        handovers.forEach(
                (outcome, count) -> put(counts, "handover_" + outcome.name().toLowerCase(Locale.ROOT), count.sum()));
        put(counts, "dead_letters", deadLetters.sum());
        put(counts, "home_requests", homeRequests.sum());
        put(counts, "memory_failures", memoryFailures.sum());
        put(counts, "shards_without_memory", withoutMemory.get());
        return counts;
    }

    private static void put(Map<String, Long> counts, String name, long count) {
        if (count > 0) {
            counts.put(name, count);
        }
    }
}
