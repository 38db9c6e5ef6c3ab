package benchmark;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/** The event bus without sharding: a consumer that answers each request with a number, as a counter does. */
final class BusEcho {
    /** The message of an ask with its id. */
    static final int REQUEST_BYTES = 21;

    private static final String ADDRESS = "benchmark.echo";

    private BusEcho() {}

    /** Answers from now on; completes when the cluster knows. */
    static Future<Void> answer(Vertx vertx) {
        return vertx.eventBus()
                .<Buffer>consumer(
                        ADDRESS, message -> message.reply((long) message.body().length()))
                .completion();
    }

    static Future<?> request(Vertx vertx, Buffer body) {
        return vertx.eventBus().<Long>request(ADDRESS, body);
    }
}
