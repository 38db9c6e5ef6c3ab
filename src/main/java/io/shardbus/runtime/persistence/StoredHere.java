package io.shardbus.runtime.persistence;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * Tells readers of a type's logs that something was stored by this node, so that they need not wait for their next
 * look. Kept by the Vertx, and ends with it. Any thread.
 */
public final class StoredHere implements Shareable {
    private static final String MAP = "__shardbus.stored";

    private final Map<String, Set<Runnable>> readers = new ConcurrentHashMap<>();

    private StoredHere() {}

    public static StoredHere on(Vertx vertx) {
        LocalMap<String, StoredHere> kept = vertx.sharedData().getLocalMap(MAP);
        return kept.computeIfAbsent(MAP, first -> new StoredHere());
    }

    /** @param reader called on any thread after each batch that was stored, in the order of the calls; must be quick */
    public void listen(String type, Runnable reader) {
        readers.compute(type, (name, known) -> {
            Set<Runnable> all = known == null ? new CopyOnWriteArraySet<>() : known;
            all.add(reader);
            return all;
        });
    }

    public void unlisten(String type, Runnable reader) {
        readers.computeIfPresent(type, (name, known) -> {
            known.remove(reader);
            return known.isEmpty() ? null : known;
        });
    }

    void stored(String type) {
        readers.getOrDefault(type, Set.of()).forEach(Runnable::run);
    }
}
