package benchmark;

import io.shardbus.ShardRegion;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Heap of an idle persistent entity beside that of a plain one: each answers one message that stores nothing, so
 * neither a state of its own nor a window of commands is in it. Medians; the round before does not count.
 */
final class IdleMemory {
    private static final int WINDOW = 1000;
    private static final int ROUNDS = 3;
    private static final String TYPE = "idle";

    private final Arguments told;
    private final int entities;

    IdleMemory(Arguments told) {
        this.told = told;
        this.entities = told.number("entities", 200_000, 1000, 5_000_000);
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
        var medians = new Medians();
        for (int round = 0; round <= ROUNDS; round++) {
            double plain = heap(node.counters(), round + "-idle-");
            double persistent = heap(stored, round + "-idle-");
            medians.add("plain_bytes", plain)
                    .add("persistent_bytes", persistent)
                    .add("more_bytes", persistent - plain);
        }
        System.out.println("growth memory entities=" + entities + " " + medians);
        node.vertx().close().await(Hosts.AWAIT_S, TimeUnit.SECONDS);
    }

    /** Bytes for each of so many new entities, their ids and user objects included. */
    private double heap(ShardRegion<CounterMessage> region, String prefix) throws Exception {
        long before = Load.usedAfterCollection();
        Loop.times(entities, WINDOW, () -> 0, i -> region.entityRef(prefix + i).ask(StoredCounter.READ));
        return (Load.usedAfterCollection() - before) / (double) entities;
    }
}
