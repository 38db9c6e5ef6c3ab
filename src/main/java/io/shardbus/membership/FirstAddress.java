package io.shardbus.membership;

import io.vertx.core.Future;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * First publication of a node's event-bus address, without which the node does not start. It times out while a member
 * is frozen, or too busy to acknowledge in time. It is retried, four attempts in all, as the failure detection may
 * remove that member meanwhile.
 */
final class FirstAddress {
    private static final Logger LOG = LoggerFactory.getLogger(FirstAddress.class);
    private static final int TRIES = 4;

    private FirstAddress() {}

    /** @param publication begins an attempt, which ends after the cache's timeout at the latest */
    static Future<Void> publish(Supplier<Future<Void>> publication) {
        return publish(publication, 1);
    }

    private static Future<Void> publish(Supplier<Future<Void>> publication, int tried) {
        return publication.get().recover(failure -> {
            if (tried == TRIES || !isTimeout(failure)) {
                return Future.failedFuture(failure);
            }
            LOG.warn("members have not acknowledged this node's address in time, trying again: {}", failure.toString());
            return publish(publication, tried + 1);
        });
    }

    /** Compares the simple name, as the package of the class differs between the release lines of Infinispan. */
    private static boolean isTimeout(Throwable failure) {
        var cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause != null && cause.getClass().getSimpleName().equals("TimeoutException");
    }
}
