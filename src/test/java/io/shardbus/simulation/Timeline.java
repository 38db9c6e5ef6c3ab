package io.shardbus.simulation;

import java.util.ArrayDeque;

/** What happened, for whoever must understand a failure: the last events of a run, and a digest of all of them on request. */
final class Timeline {
    private static final int KEPT = 200;
    private static final String TRACE = System.getProperty("shardbus.simulation.trace");

    private record Entry(long moment, Object who, String what, Object detail) {
        @Override
        public String toString() {
            return String.format("%8d  %-7s %-14s %s", moment, who, what, detail);
        }
    }

    private final Scheduler scheduler;
    private final boolean digesting;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long digest;

    Timeline(Scheduler scheduler, boolean digesting) {
        this.scheduler = scheduler;
        this.digesting = digesting;
    }

    void add(Object who, String what, Object detail) {
        Entry entry = new Entry(scheduler.now(), who, what, detail);
        entries.add(entry);
        if (entries.size() > KEPT) {
            entries.remove();
        }
        if (digesting) {
            digest = digest * 31 + entry.toString().hashCode();
        }
        if (TRACE != null && entry.toString().contains(TRACE)) {
            System.out.println(entry);
        }
    }

    long digest() {
        return digest;
    }

    String tail() {
        StringBuilder text = new StringBuilder();
        entries.forEach(entry -> text.append(entry).append('\n'));
        return text.toString();
    }
}
