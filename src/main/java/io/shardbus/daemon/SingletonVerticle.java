package io.shardbus.daemon;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;

/**
 * A verticle for {@link ClusterSingleton} that takes messages, one after the other, on its own context.
 *
 * @param <M> its messages
 */
public abstract class SingletonVerticle<M> extends VerticleBase {
    /**
     * Handles one message, on the verticle's context. An exception, as a failed future, fails the ask.
     *
     * @return completes with the answer when the verticle is ready for the next message
     */
    protected abstract Future<?> receive(M message);

    /** Passes a message from the context of the entity to the verticle's own. */
    final Future<?> deliver(M message) {
        Promise<Object> answer = Promise.promise();
        context.runOnContext(ignored -> {
            try {
                receive(message).<Object>map(value -> value).onComplete(answer);
            } catch (Throwable e) { // an Error, too, must not leave the asker and the next message waiting
                answer.fail(e);
            }
        });
        return answer.future();
    }
}
