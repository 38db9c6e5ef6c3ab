package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Timers and receive timeouts of entities whose code does not run on the lane, which takes the wishes later. */
class TimesOfWorkersTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final int ENTITIES = 1_000;

    private final LoneNode node = new LoneNode(new ShardingOptions());

    private ShardRegion<String> start(Function<String, Entity<String>> factory) {
        return node.start(LoneNode.texts(factory).withExecution(ExecutionModel.WORKER));
    }

    /** Its lane takes a wish for a receive timeout in the moment in which its own thread sets a timer. */
    private static final class Timed implements Entity<String> {
        private long timer;

        @Override
        public Future<?> started(EntityContext<String> context) {
            AtomicBoolean laneIsThere = new AtomicBoolean();
            AtomicBoolean begun = new AtomicBoolean();
            ((HostedContext) context).lane().execute((lane, now) -> {
                laneIsThere.set(true);
                awaitTrue(begun);
                context.setReceiveTimeout(LONG, "silence");
            });
            awaitTrue(laneIsThere);
            begun.set(true);
            // the lane takes a moment to see that, each time another one
            for (int pause = Integer.parseInt(context.id()) % 32; pause > 0; pause--) {
                Thread.onSpinWait();
            }
            timer = context.setTimer(LONG, "tick");
            return done();
        }

        private static void awaitTrue(AtomicBoolean flag) {
            while (!flag.get()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply("" + context.cancelTimer(timer));
        }
    }

    @Test
    void aTimerIsNotLostWhereAReceiveTimeoutIsSetAtTheSameTime() {
        try (node) {
            ShardRegion<String> region = start(id -> new Timed());
            long lost = 0;
            for (int id = 0; id < ENTITIES; id++) {
                String cancelled = Await.result(LoneNode.ask(region.entityRef("" + id), "cancel"));
                lost += cancelled.equals("true") ? 0 : 1;
            }
            assertEquals(0, lost);
        }
    }

    private static final class Silent implements Entity<String> {
        private final List<String> heard = new ArrayList<>();

        @Override
        public Future<?> started(EntityContext<String> context) {
            context.setReceiveTimeout(Duration.ofMillis(1), "silence");
            context.cancelReceiveTimeout();
            context.setTimer(Duration.ofMillis(200), "mark");
            return done();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            heard.add(message);
            return reply(String.join(" ", heard));
        }
    }

    @Test
    void aReceiveTimeoutThatIsCancelledAtOnceDoesNotCome() {
        try (node) {
            ShardRegion<String> region = start(id -> new Silent());
            List<String> heard = new ArrayList<>();
            Await.until(() -> heard, () -> {
                heard.add(Await.result(LoneNode.ask(region.entityRef("one"), "ask")));
                return heard.get(heard.size() - 1).contains("mark");
            });
            assertEquals(
                    List.of(),
                    heard.stream().filter(each -> each.contains("silence")).toList());
        }
    }
}
