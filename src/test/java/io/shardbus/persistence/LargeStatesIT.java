package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Ask;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Entities whose states do not fit into one answer of their store")
class LargeStatesIT {
    private static final int STATE = 3 << 20;
    private static final int ENTITIES = 8;
    private static final EntityType<Sizing> TYPE = EntityType.of("large", Sizing.class);

    /** Saves a state of this length, or none for 0; answers with the length of the state. */
    record Sizing(int length) implements Ask<Integer> {}

    private static final class Large implements DurableStateEntity<Sizing, String> {
        @Override
        public String emptyState() {
            return "";
        }

        @Override
        public StateEffect<String> handle(String state, Sizing message, PersistenceContext<Sizing> context) {
            return message.length() == 0
                    ? reply(state.length())
                    : save("x".repeat(message.length())).thenReply(String::length);
        }
    }

    @Test
    @DisplayName("are all read when they are wanted at the same time")
    void read() {
        UnsteadyStore store = new UnsteadyStore();
        EntityDefinition<Sizing> large = DurableState.of(TYPE, id -> new Large(), StateCodec.json(String.class))
                .on(store)
                .withNumberOfShards(1);
        List<Integer> lengths = IntStream.range(STATE, STATE + ENTITIES).boxed().toList();
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(large);
            assertEquals(lengths, ClusterTestKit.await(ask(cluster, lengths)));
        }
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(large);
            // so that all wait until the log is open
            store.cut(true);
            Future<List<Integer>> read = ask(cluster, Collections.nCopies(ENTITIES, 0));
            cluster.until("the log was not opened", () -> storeFailures(cluster) > 0);
            store.cut(false);
            assertEquals(lengths, ClusterTestKit.await(read));
        }
    }

    private static long storeFailures(ClusterTestKit cluster) {
        var region = cluster.node(0).sharding().region(TYPE).orElseThrow();
        return ClusterTestKit.await(region.state()).counters().getOrDefault("store_failures", 0L);
    }

    private static Future<List<Integer>> ask(ClusterTestKit cluster, List<Integer> lengths) {
        List<Future<Integer>> answers = new ArrayList<>();
        for (int length : lengths) {
            EntityRef<Sizing> entity = cluster.node(0).sharding().entityRef(TYPE, "e" + answers.size());
            answers.add(entity.ask(new Sizing(length)));
        }
        return Future.all(answers).map(all -> all.list());
    }
}
