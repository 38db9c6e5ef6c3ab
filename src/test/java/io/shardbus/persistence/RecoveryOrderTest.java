package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.FencingToken;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.CountedHistory.Called;
import io.shardbus.persistence.CountedHistory.Count;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("While many remembered entities come back, one that gets a message")
class RecoveryOrderTest {
    private static final EntityType<Count> TYPE = EntityType.of("counter", Count.class);
    private static final int CALLS = 4;
    private static final Duration TICKS = Duration.ofMillis(200);

    /** The ids of each read, as it leaves. */
    private final List<List<String>> reads = new CopyOnWriteArrayList<>();

    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final Set<String> remembered =
            IntStream.range(0, 1_000).mapToObj(i -> "e" + i).collect(Collectors.toSet());

    private EntityTestKit<Count> returning(String id) {
        InMemoryRememberedEntities ids = new InMemoryRememberedEntities();
        ids.update(TYPE.name(), 0, new FencingToken(0, 0, 1), remembered, Set.of());
        EntityDefinition<Count> type = EventSourced.of(
                        TYPE, entity -> new CountedHistory.Counter(), CountedHistory.CODEC)
                .on(CountedHistory.store(this::hold))
                .withRememberEntities(true)
                .withRememberedEntitiesStore(ids);
        EntityTestKit<Count> kit = EntityTestKit.of(type, id, new ShardingOptions().setNumberOfShards(1));
        kit.move();
        kit.advance(TICKS);
        assertEquals(CALLS, reads.size());
        assertFalse(isRead(id), "it is among the first: the test shows nothing");
        return kit;
    }

    private Object hold(Called called, Object answer) {
        if (!called.method().equals("load")) {
            return answer;
        }
        Promise<Object> late = Promise.promise();
        held.add(() -> ((Future<?>) answer).<Object>map(read -> read).onComplete(late));
        reads.add(((List<?>) called.arguments().get(1))
                .stream().map(Objects::toString).toList());
        return late.future();
    }

    private boolean isRead(String id) {
        return reads.stream().anyMatch(read -> read.contains(id));
    }

    private void release(EntityTestKit<Count> kit) {
        Runnable next = held.poll();
        if (next != null) {
            next.run();
        }
        kit.advance(TICKS);
    }

    private void isReadNext(String id) {
        try (var kit = returning(id)) {
            Future<Long> answer = kit.asking(new Count());
            release(kit);
            assertTrue(isRead(id), () -> "not among " + reads.get(reads.size() - 1));
            while (!held.isEmpty()) {
                release(kit);
            }
            assertEquals(0L, answer.result());
            assertTrue(remembered.stream().allMatch(this::isRead));
        }
    }

    @Test
    @DisplayName("is read next though it was not remembered")
    void another() {
        isReadNext("another");
    }

    @Test
    @DisplayName("is read next though it has come back, and waited behind others")
    void oneOfThem() {
        isReadNext(new ArrayList<>(new HashSet<>(remembered)).get(remembered.size() - 1));
    }
}
