package io.shardbus.runtime.node;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Map;
import java.util.stream.Collectors;

/** Registry of what was started on a Vertx, by name; kept by the Vertx itself, so that it ends with it. Any thread. */
public final class VertxRegistry<T> {
    private final String kind;

    private record Started<T>(T value) implements Shareable {}

    /** @param kind name of the kind of objects; one for all of a kind */
    public VertxRegistry(String kind) {
        this.kind = kind;
    }

    private LocalMap<String, Started<T>> map(Vertx vertx) {
        return vertx.sharedData().getLocalMap("__shardbus." + kind);
    }

    public void add(Vertx vertx, String name, T value) {
        map(vertx).put(name, new Started<>(value));
    }

    public void remove(Vertx vertx, String name, T value) {
        map(vertx).removeIfPresent(name, new Started<>(value));
    }

    public Map<String, T> on(Vertx vertx) {
        return map(vertx).entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().value()));
    }
}
