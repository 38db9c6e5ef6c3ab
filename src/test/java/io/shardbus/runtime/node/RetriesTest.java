package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions of a verticle that is undeployed while they wait. */
class RetriesTest {
    private final Vertx vertx = Vertx.vertx();
    private final Retries retries = new Retries(vertx, new ElapsedClock());
    private final AtomicBoolean gone = new AtomicBoolean();
    private final Promise<String> answer = Promise.promise();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void inAVerticleThatEnds(Runnable asks) {
        String verticle = await(vertx.deployVerticle(context -> {
            asks.run();
            return Future.succeededFuture();
        }));
        await(vertx.undeploy(verticle));
        gone.set(true);
    }

    @Test
    void theyAreStillRepeated() {
        inAVerticleThatEnds(() -> retries.ask(
                        60_000,
                        () -> gone.get() ? Future.succeededFuture("answer") : Future.failedFuture("not yet"),
                        failure -> true)
                .onComplete(answer));
        assertEquals("answer", await(answer.future()));
    }

    @Test
    void theyStillEndWhenTheyAreVain() {
        inAVerticleThatEnds(() -> retries.unless(
                        Promise.<String>promise().future(),
                        () -> gone.get() ? new IllegalStateException("it has left") : null)
                .onComplete(answer));
        assertEquals("it has left", await(answer.future().otherwise(Throwable::getMessage)));
    }
}
