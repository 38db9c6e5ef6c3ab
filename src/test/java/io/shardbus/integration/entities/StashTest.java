package io.shardbus.integration.entities;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.RestartPolicy;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Entities that keep what they took in a store of their own, recover from it, and hold messages back meanwhile. The
 * stop that ends an instance among its messages is a failure under {@link RestartPolicy#stop()}; passivation lets what
 * waits be handled first.
 */
class StashTest {
    private static LoneNode node;

    /** What outlives the instances. */
    private final List<String> store = new CopyOnWriteArrayList<>();

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Promise<Object> recovery = Promise.promise();
    /** What the message "slow" waits for, and where. */
    private final Promise<Object> slow = Promise.promise();

    private final Promise<Context> atSlow = Promise.promise();

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    /** Adds to the store, echoes, holds back, stops; recovers before it takes anything. */
    private final class Keeper implements Entity<String> {
        private final List<String> state = new ArrayList<>();
        private boolean holding;

        @Override
        public Future<?> started(EntityContext<String> context) {
            return recovery.future().onSuccess(done -> {
                state.addAll(store);
                lines.add("recovered " + state);
            });
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            switch (message) {
                case "stop" -> throw new IllegalStateException("stop");
                case "hold" -> holding = true;
                case "release" -> {
                    holding = false;
                    context.unstashAll();
                }
                case "discard and passivate" -> {
                    context.discardStash();
                    context.passivate();
                }
                case "passivate" -> context.passivate();
                case "slow" -> {
                    atSlow.complete(Vertx.currentContext());
                    return slow.future();
                }
                case "get" -> {
                    return reply(context.id() + state);
                }
                default -> {
                    return take(message, context);
                }
            }
            return reply(message);
        }

        private Future<?> take(String message, EntityContext<String> context) {
            if (holding && !message.startsWith("!")) {
                context.stash();
                return done();
            }
            if (message.startsWith("echo")) {
                return reply(message);
            }
            store.add(message);
            state.add(message);
            return reply("+" + message);
        }
    }

    private EntityRef<String> keeper() {
        return node.startOne(texts(id -> new Keeper()).withRestartPolicy(RestartPolicy.stop()));
    }

    private EntityRef<String> recovered() {
        recovery.complete();
        EntityRef<String> entity = keeper();
        await(ask(entity, "get"));
        return entity;
    }

    private static List<Future<String>> all(EntityRef<String> entity, String... messages) {
        return List.of(messages).stream().map(message -> ask(entity, message)).toList();
    }

    /** What becomes of messages of which the first is slow: the others wait behind it. */
    private List<String> outcomesBehindSlow(EntityRef<String> entity, String... behind) {
        List<Future<String>> asked = new ArrayList<>(all(entity, "slow"));
        asked.addAll(all(entity, behind));
        // after what is at work there now, which brings the others as well
        await(atSlow.future()).runOnContext(go -> slow.complete("slow"));
        return outcomes(asked);
    }

    private static List<String> outcomes(List<Future<String>> asked) {
        return asked.stream().map(StashTest::outcome).toList();
    }

    private static String outcome(Future<String> answer) {
        try {
            return await(answer);
        } catch (ShardingException e) {
            return e.code().name();
        }
    }

    @Test
    @DisplayName("PERS-01 three add commands, then get: the state shows the three in order, and the entity's id")
    void keepsOrder() {
        assertEquals(List.of("+1", "+2", "+3", "one[1, 2, 3]"), outcomes(all(recovered(), "1", "2", "3", "get")));
    }

    @Test
    @DisplayName("PERS-02 what was queued before the stop is done and kept, what was behind it never happens")
    void stopsAmongItsMessages() {
        EntityRef<String> entity = recovered();
        assertEquals(
                List.of("slow", "+1", "+2", "ENTITY_FAILED", "ENTITY_STOPPED", "ENTITY_STOPPED"),
                outcomesBehindSlow(entity, "1", "2", "stop", "3", "4"));
        assertEquals(List.of("+5", "one[1, 2, 5]"), outcomes(all(entity, "5", "get")));
    }

    @Test
    @DisplayName("PERS-03 the same with echoes: those before the stop are answered, those behind it are not")
    void stopsAmongEchoes() {
        EntityRef<String> entity = recovered();
        assertEquals(
                List.of("slow", "+1", "echo a", "ENTITY_FAILED", "ENTITY_STOPPED", "ENTITY_STOPPED"),
                outcomesBehindSlow(entity, "1", "echo a", "stop", "echo b", "2"));
        assertEquals("one[1]", await(ask(entity, "get")));
    }

    @Test
    @DisplayName("PERS-04 a stop with nothing held back: what is behind it is not executed")
    void stopsWithNothingHeldBack() {
        EntityRef<String> entity = recovered();
        assertEquals("+1", await(ask(entity, "1")));
        assertEquals(List.of("slow", "ENTITY_FAILED", "ENTITY_STOPPED"), outcomesBehindSlow(entity, "stop", "2"));
        assertEquals("one[1]", await(ask(entity, "get")));
    }

    @Test
    @DisplayName("PERS-05 a stop before recovery is complete: recovery completes first, the next"
            + " message wakes a clean instance")
    void stopsAfterRecovery() {
        store.add("0");
        EntityRef<String> entity = keeper();
        List<Future<String>> asked = all(entity, "stop");
        recovery.complete();
        assertEquals(List.of("ENTITY_FAILED"), outcomes(asked));
        assertEquals("one[0]", await(ask(entity, "get")));
        assertEquals(List.of("recovered [0]", "recovered [0]"), lines);
    }

    @Test
    @DisplayName("PERS-06 commands held back by recovery run before the stop that follows them, those behind it do not")
    void runsWhatRecoveryHeldBack() {
        EntityRef<String> entity = keeper();
        List<Future<String>> asked = all(entity, "echo a", "1", "stop", "echo b", "2");
        recovery.complete();
        assertEquals(List.of("echo a", "+1", "ENTITY_FAILED", "ENTITY_STOPPED", "ENTITY_STOPPED"), outcomes(asked));
        assertEquals("one[1]", await(ask(entity, "get")));
    }

    @Test
    @DisplayName("PERS-02 with a stash: what is stashed when the instance stops is refused, too")
    void aStopRefusesTheStash() {
        EntityRef<String> entity = recovered();
        assertEquals(List.of("hold", "ENTITY_STOPPED", "ENTITY_FAILED"), outcomes(all(entity, "hold", "1", "stop")));
        assertEquals("one[]", await(ask(entity, "get")));
    }

    @Test
    @DisplayName("PERS-07 held-back commands that are discarded at the passivation do not count, later ones do")
    void discardsBeforeItPassivates() {
        EntityRef<String> entity = recovered();
        assertEquals(
                List.of("+1", "hold", "ENTITY_STOPPED", "ENTITY_STOPPED", "+!2", "discard and passivate"),
                outcomes(all(entity, "1", "hold", "3", "4", "!2", "discard and passivate")));
        TestCluster.until("a new instance", () -> await(ask(entity, "get")) != null && lines.size() == 2);
        assertEquals(List.of("+5", "+6", "one[1, !2, 5, 6]"), outcomes(all(entity, "5", "6", "get")));
    }

    @Test
    @DisplayName("PERS-07 without that nothing is lost: the next instance gets what was held back, first")
    void theNextInstanceGetsTheStash() {
        EntityRef<String> entity = recovered();
        assertEquals(List.of("hold", "+1", "+2", "passivate"), outcomes(all(entity, "hold", "1", "2", "passivate")));
        assertEquals("one[1, 2]", await(ask(entity, "get")));
    }

    @Test
    void releasesInOrderBeforeWhatWaits() {
        EntityRef<String> entity = recovered();
        outcomes(all(entity, "hold", "1", "2", "!3", "release", "4"));
        assertEquals("one[!3, 1, 2, 4]", await(ask(entity, "get")));
    }
}
