package io.shardbus.runtime.persistence;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Tells readers of a type's logs that something was stored by this node, so that they need not wait for their next
 * look. Kept by the Vertx, and ends with it. Any thread.
 */
public final class AppendSignal implements Shareable {
    private static final String MAP = "__shardbus.stored";

    private final Map<String, List<Reader>> readers = new ConcurrentHashMap<>();

    private AppendSignal() {}

    public static AppendSignal on(Vertx vertx) {
        LocalMap<String, AppendSignal> kept = vertx.sharedData().getLocalMap(MAP);
        return kept.computeIfAbsent(MAP, first -> new AppendSignal());
    }

    /** @param shards of which it reads the logs */
    private record Reader(IntPredicate shards, Runnable run) {}

    /**
     * @param shards of which the reader is told
     * @param reader called on any thread after each batch that was stored for one of them, in the order of the calls;
     *     must be quick
     */
    public void listen(String type, IntPredicate shards, Runnable reader) {
        readers.compute(type, (name, known) -> {
            List<Reader> all = known == null ? new CopyOnWriteArrayList<>() : known;
            all.add(new Reader(shards, reader));
            return all;
        });
    }

    public void unlisten(String type, Runnable reader) {
        readers.computeIfPresent(type, (name, known) -> {
            known.removeIf(listening -> listening.run() == reader);
            return known.isEmpty() ? null : known;
        });
    }

    /** @param shards whose logs have something new */
    public void stored(String type, int[] shards) {
        for (Reader reader : readers.getOrDefault(type, List.of())) {
            if (IntStream.of(shards).anyMatch(reader.shards())) {
                reader.run().run();
            }
        }
    }
}
