package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.EntityReport;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages of timers that wait in the mailbox when their timer is cancelled, or when their instance ends. */
class CancelledTimersTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private final LoneNode node = new LoneNode(new ShardingOptions().setAwaitPredecessorLeases(false));
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final Promise<Void> waits = Promise.promise();

    /** Sets a timer, and is busy until the test has seen what waits. */
    private final class Clockwork implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            handled.add(message);
            return switch (message) {
                case "once" -> cancelled(context, context.setTimer(SOON, "tick", true));
                case "periodic" -> cancelled(context, context.setPeriodicTimer(SOON, "tick"));
                case "stopping" -> {
                    context.setTimer(SOON, "tick");
                    yield waits.future().onSuccess(go -> context.stop());
                }
                case "stashing" -> {
                    context.setTimer(SOON, "stashed tick");
                    yield reply("set");
                }
                case "stashed tick" -> {
                    if (!handled.contains("unstash")) {
                        context.stash();
                    }
                    yield done();
                }
                case "unstash" -> {
                    context.unstashAll();
                    yield reply("done");
                }
                default -> reply(message);
            };
        }

        private Future<?> cancelled(EntityContext<String> context, long timer) {
            return waits.future()
                    .map(go -> context.cancelTimer(timer) + ", then " + context.cancelTimer(timer))
                    .compose(this::reply);
        }
    }

    private EntityDefinition<String> definition() {
        return LoneNode.texts(id -> new Clockwork());
    }

    /** Empty while there is no instance. */
    private static EntityReport.Mailbox mailbox(ShardRegion<String> region) {
        var handle = (RegionHandle<String>) region;
        EntityReport.Instance instance = Await.result(handle.queries().entity(handle.shard("one"), "one"))
                .instance();
        return instance == null ? new EntityReport.Mailbox(0, 0, 0, 0, null, 0) : instance.mailbox();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void isNotHandled(String kind) {
        ShardRegion<String> region = node.start(definition());
        EntityRef<String> one = region.entityRef("one");
        Future<String> answer = LoneNode.ask(one, kind);
        Await.until(() -> mailbox(region), () -> mailbox(region).waiting() > 0);
        waits.complete();
        assertEquals("true, then false", Await.result(answer));
        assertEquals("end", Await.result(LoneNode.ask(one, "end")));
        assertEquals(List.of(kind, "end"), handled);
        assertEquals(0, mailbox(region).timers());
    }

    @Test
    void theMessageOfACancelledTimerIsNotHandled() {
        isNotHandled("once");
    }

    @Test
    void theMessagesOfACancelledPeriodicTimerAreNotHandled() {
        isNotHandled("periodic");
    }

    @Test
    void theNextInstanceDoesNotGetTheMessageOfTheOneThatStopped() {
        ShardRegion<String> region = node.start(definition());
        EntityRef<String> one = region.entityRef("one");
        Future<String> answer = LoneNode.ask(one, "stopping");
        Await.until(() -> mailbox(region), () -> mailbox(region).waiting() > 0);
        Future<String> end = LoneNode.ask(one, "end");
        waits.complete();
        Await.result(answer);
        assertEquals("end", Await.result(end));
        assertEquals(List.of("stopping", "end"), handled);
    }

    @Test
    void aMessageThatWasStashedIsHandledAgain() {
        ShardRegion<String> region = node.start(definition());
        EntityRef<String> one = region.entityRef("one");
        Await.result(LoneNode.ask(one, "stashing"));
        Await.until(() -> mailbox(region), () -> mailbox(region).stashed() > 0);
        Await.result(LoneNode.ask(one, "unstash"));
        Await.until(() -> handled, () -> handled.size() == 4);
        assertEquals(List.of("stashing", "stashed tick", "unstash", "stashed tick"), handled);
        assertEquals(0, mailbox(region).timers());
    }

    @Test
    void aMessageThatDoesNotFitIsADeadLetterOfItsClass() {
        ShardRegion<String> region = node.start(definition().withMailboxSize(1));
        Future<String> answer = LoneNode.ask(region.entityRef("one"), "periodic");
        Await.until(this::deadLetters, () -> !deadLetters().isEmpty());
        assertEquals("String", deadLetters().get(0));
        waits.complete();
        assertEquals("true, then false", Await.result(answer));
    }

    private List<String> deadLetters() {
        return Await.result(node.sharding().operations().deadLetters()).letters().stream()
                .map(DeadLetter::message)
                .toList();
    }
}
