package io.shardbus.integration;

import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.store.InMemoryRecordStore;
import io.shardbus.store.StoreArbiter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An arbiter that the nodes of this JVM share: it stands for a database outside the cluster. */
public final class SharedArbiter implements SplitBrainArbiter {
    /** What was asked of it, with the answers to acquire. */
    public static final List<String> LOG = new CopyOnWriteArrayList<>();

    private static final InMemoryRecordStore STORE = new InMemoryRecordStore();

    private final StoreArbiter arbiter = new StoreArbiter(STORE, Duration.ofMinutes(5), System::currentTimeMillis);

    @Override
    public Future<Boolean> acquire(String name, String owner, String stamp) {
        return arbiter.acquire(name, owner, stamp)
                .onSuccess(granted -> LOG.add("acquire " + name + " " + owner + " " + granted));
    }

    @Override
    public Future<@Nullable String> release(String name, String owner, String stamp) {
        return arbiter.release(name, owner, stamp).onSuccess(done -> LOG.add("release " + name + " " + owner));
    }
}
