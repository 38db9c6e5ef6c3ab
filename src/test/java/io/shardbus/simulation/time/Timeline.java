package io.shardbus.simulation.time;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What happened, to understand a failure: the last events of a run, and a digest of all of them on
 * request.
 */
public final class Timeline {
    private static final int KEPT = 200;
    private static final String TRACE = System.getProperty("shardbus.simulation.trace");

    /** Something that happened. */
    public record Entry(long moment, Object who, String what, Object detail) {
        @Override
        public String toString() {
            return String.format("%8d  %-7s %-14s %s", moment, who, what, detail);
        }
    }

    private final Scheduler scheduler;
    private final boolean digesting;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final ArrayDeque<Entry> turns = new ArrayDeque<>();
    private Consumer<Entry> reader = entry -> {};
    private long digest;

    public Timeline(Scheduler scheduler, boolean digesting) {
        this.scheduler = scheduler;
        this.digesting = digesting;
    }

    /** Has every event read from now on, right after it happened. */
    public void readBy(Consumer<Entry> newReader) {
        reader = newReader;
    }

    /** One of the many small events. */
    public void add(Object who, String what, Object detail) {
        Entry entry = new Entry(scheduler.now(), who, what, detail);
        keep(entries, entry);
        reader.accept(entry);
        if (digesting) {
            digest = digest * 31 + entry.toString().hashCode();
        }
        if (TRACE != null && Arrays.stream(TRACE.split("\\|")).anyMatch(entry.toString()::contains)) {
            System.out.println(entry);
        }
    }

    /** One of the few events that turn the course of things: a fault, a view, a reign. */
    public void turn(Object who, String what, Object detail) {
        add(who, what, detail);
        keep(turns, entries.getLast());
    }

    private static void keep(ArrayDeque<Entry> kept, Entry entry) {
        kept.add(entry);
        if (kept.size() > KEPT) {
            kept.remove();
        }
    }

    public long digest() {
        return digest;
    }

    /** The turns that are not among the last events, then the last events. */
    public String tail() {
        StringBuilder text = new StringBuilder();
        long since = entries.isEmpty() ? 0 : entries.getFirst().moment();
        Predicate<Entry> before = entry -> entry.moment() < since;
        turns.stream().filter(before).forEach(entry -> text.append(entry).append('\n'));
        text.append("          ... and everything since ").append(since).append(":\n");
        entries.forEach(entry -> text.append(entry).append('\n'));
        return text.toString();
    }
}
