package io.shardbus.runtime.region;

import io.shardbus.FailureCode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a region counts: failures by code, and tells that became dead letters. Any thread. */
public final class RegionCounters {
    private final LongAdder[] failures = new LongAdder[FailureCode.values().length];
    private final LongAdder deadLetters = new LongAdder();

    public RegionCounters() {
        for (int i = 0; i < failures.length; i++) {
            failures[i] = new LongAdder();
        }
    }

    public void failed(FailureCode code) {
        failures[code.ordinal()].increment();
    }

    /** Counts a dead letter; true for the first of all. */
    public boolean deadLetter() {
        deadLetters.increment();
        return deadLetters.sum() == 1;
    }

    /** The counters that are not 0, by name. */
    public Map<String, Long> snapshot() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (FailureCode code : FailureCode.values()) {
            long count = failures[code.ordinal()].sum();
            if (count > 0) {
                counts.put(code.name().toLowerCase(Locale.ROOT), count);
            }
        }
        if (deadLetters.sum() > 0) {
            counts.put("dead_letters", deadLetters.sum());
        }
        return counts;
    }
}
