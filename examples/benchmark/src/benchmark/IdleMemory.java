package benchmark;

import io.shardbus.ShardRegion;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Heap of an idle persistent entity beside that of a plain one: each answers one message that stores nothing, so
 * neither a state of its own nor a window of commands is in it.
 */
final class IdleMemory {
    private static final int WINDOW = 1000;
    private static final String TYPE = "idle";

    private final Arguments told;
    private final int entities;

    IdleMemory(Arguments told) {
        this.told = told;
        this.entities = told.number("entities", 300_000, 1000, 5_000_000);
    }

    void run() throws Exception {
        var place = new Node.Place("benchmark-" + UUID.randomUUID(), Ports.free(1), 0);
        var options = told.options(new JsonObject()
                .put("awaitPredecessorLeases", false)
                .put("passivation", new JsonObject().put("strategy", "none"))
                .put("roles", new JsonArray().add(Node.HOSTING)));
        var node = StoreUnderTest.await(Node.start(place, options));
        var store = MemoryStore.create();
        var stored = StoreUnderTest.await(
                node.sharding().start(StoredCounter.type(TYPE).on(store).withCodec(new CounterCodec())));
        StoreUnderTest.await(stored.ready());
        // what is made once for a region and a lane is there before the count begins
        heap(node.counters(), "first-", WINDOW);
        heap(stored, "first-", WINDOW);
        double plain = heap(node.counters(), "idle-", entities);
        double persistent = heap(stored, "idle-", entities);
        GrowthRuns.print(
                "growth memory entities=%d plain_bytes=%.0f persistent_bytes=%.0f more_bytes=%.0f",
                entities, plain, persistent, persistent - plain);
        node.vertx().close().await(Hosts.AWAIT_S, TimeUnit.SECONDS);
    }

    /** Bytes for each of so many new entities, their ids and user objects included. */
    private static double heap(ShardRegion<CounterMessage> region, String prefix, int count) throws Exception {
        long before = Load.usedAfterCollection();
        Loop.times(count, WINDOW, () -> 0, i -> region.entityRef(prefix + i).ask(StoredCounter.READ));
        return (Load.usedAfterCollection() - before) / (double) count;
    }
}
