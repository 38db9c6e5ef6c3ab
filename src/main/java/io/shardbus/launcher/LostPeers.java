package io.shardbus.launcher;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the libraries below log at WARN or ERROR, most of it with a stack trace, because a peer has died, stands still
 * or closes its connection. Shardbus expects all of it: the view of the cluster changes, and what was sent fails or is
 * sent again.
 */
final class LostPeers {
    private static final int DEEPEST_CAUSE = 8;
    private static final int LONGEST_TEXT = 120;
    /** Of Infinispan 14, and of 15 and later. */
    private static final Set<String> TIMEOUTS =
            Set.of("org.infinispan.util.concurrent.TimeoutException", "org.infinispan.commons.TimeoutException");

    /**
     * A message of the bus that cannot be written fails as it should. Beside that, Vert.x 5.0 completes its promise in
     * a way that throws, although the promise was not complete.
     */
    private static final String COMPLETED = "Promise already completed";

    private static final String OUTBOUND = "io.vertx.core.eventbus.impl.clustered.OutboundConnection";
    private static final String WRITE = "io.vertx.core.net.impl.DelegatingChannelPromise";

    /** By the logger: whether the line, of this text and with this failure, is one of them. */
    private static final Map<String, BiPredicate<String, @Nullable Throwable>> LINES = Map.of(
            "io.vertx.core.eventbus.impl.clustered.ClusteredEventBus",
            (text, failure) -> isOfConnection(failure),
            "io.vertx.core.net.impl.ConnectionBase",
            (text, failure) -> text.contains("Connection reset") || text.contains("Broken pipe"),
            "io.vertx.core.impl.ContextImpl",
            (text, failure) -> isFailedWrite(failure),
            "org.jgroups.protocols.TCP",
            (text, failure) -> isOfConnection(failure),
            "org.infinispan.interceptors.impl.InvocationContextInterceptor",
            (text, failure) -> isTimeout(failure),
            "org.infinispan.CLUSTER",
            (text, failure) -> isTimeout(failure));

    private LostPeers() {}

    static boolean isLine(String logger, String text, @Nullable Throwable failure) {
        var lines = LINES.get(logger);
        return lines != null && lines.test(text, failure);
    }

    /** A failure without a stack says that the peer is no member. */
    private static boolean isOfConnection(@Nullable Throwable failure) {
        return failure instanceof IOException || (failure != null && failure.getStackTrace().length == 0);
    }

    private static boolean isFailedWrite(@Nullable Throwable failure) {
        return failure instanceof IllegalStateException
                && COMPLETED.equals(failure.getMessage())
                && Arrays.stream(failure.getStackTrace())
                        .map(StackTraceElement::getClassName)
                        .anyMatch(frame -> frame.equals(OUTBOUND) || frame.equals(WRITE));
    }

    private static boolean isTimeout(@Nullable Throwable failure) {
        return hasCause(failure, TIMEOUTS);
    }

    /** @param classes the names */
    static boolean hasCause(@Nullable Throwable failure, Set<String> classes) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST_CAUSE)
                .anyMatch(cause -> classes.contains(cause.getClass().getName()));
    }

    /** The line in one line: of a cache operation, without what it reads and writes. */
    static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }
}
