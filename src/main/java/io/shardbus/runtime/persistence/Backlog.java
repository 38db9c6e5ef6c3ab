package io.shardbus.runtime.persistence;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Backlogs of the parts of this node that read a store: each adds itself while it runs, and is asked when meters are
 * read. Kept by the Vertx, and ends with it. Any thread.
 */
public final class Backlog implements Shareable {
    /** Kind of backlog. */
    public enum Kind {
        /** Events that a projection has not handled, of the logs whose worker is here; by projection. */
        PROJECTION,
        /** 1 for each worker of a projection here that is paused; by projection. */
        PAUSED_PROJECTION,
        /** Reminders that are due and not done, of the parts whose worker is here; by type. */
        REMINDERS,
        /** Deliveries of producers of this node that are not settled; by producer. */
        DELIVERIES,
        /** Commits of entities here that wait for the store, or are under way to it; by type. */
        COMMITS
    }

    private record Source(Kind kind, String name, LongSupplier count) {}

    private static final String MAP = "__shardbus.backlog";

    private final Map<Object, Source> sources = new ConcurrentHashMap<>();

    private Backlog() {}

    public static Backlog on(Vertx vertx) {
        LocalMap<String, Backlog> kept = vertx.sharedData().getLocalMap(MAP);
        return kept.computeIfAbsent(MAP, first -> new Backlog());
    }

    /**
     * @param owner names the part until {@link #remove}
     * @param count any thread, must not block
     */
    public void add(Object owner, Kind kind, String name, LongSupplier count) {
        sources.put(owner, new Source(kind, name, count));
    }

    public void remove(Object owner) {
        sources.remove(owner);
    }

    /** The backlog of a kind, under all names. */
    public long of(Kind kind) {
        return sources.values().stream()
                .filter(source -> source.kind() == kind)
                .mapToLong(source -> source.count().getAsLong())
                .sum();
    }

    /** The backlog of a kind under a name; 0 where no such part runs here. */
    public long of(Kind kind, String name) {
        return sources.values().stream()
                .filter(source -> source.kind() == kind && source.name().equals(name))
                .mapToLong(source -> source.count().getAsLong())
                .sum();
    }

    /** The names of a kind that run here. */
    public Set<String> names(Kind kind) {
        Set<String> names = new TreeSet<>();
        sources.values().stream().filter(source -> source.kind() == kind).forEach(source -> names.add(source.name()));
        return names;
    }
}
