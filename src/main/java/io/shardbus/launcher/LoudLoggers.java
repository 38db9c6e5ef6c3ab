package io.shardbus.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.shardbus.logging.LogPace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * For Logback: lets loggers of the libraries below write each line that Shardbus expects and handles once a minute
 * at most, with the number of lines that were left out. What they say of a peer that is lost or does not answer is
 * one line at WARN of this class instead, without a stack trace. Lines that belong to each start and stop are left
 * out altogether: JGRP000006 with an EOFException, which is a peer that checks whether this node listens; JGRP000011
 * for a message of a node that has left, which comes after the view without it; ISPN000136
 * for an operation on a cache that stops, or at a node that has left, or on a side of a split that has no caches, as
 * its future fails with that; a message at an internal address of Shardbus that was on its way when the address
 * closed, which the protocol expects; the stacks of Netty for connections to PostgreSQL that close last; and the
 * stacks of Infinispan and Vert.x for a node that cannot join, as its future fails with the reason. In {@code
 * logback.xml}:
 *
 * <pre>{@code
 * <turboFilter class="io.shardbus.launcher.LoudLoggers"/>
 * }</pre>
 */
public final class LoudLoggers extends TurboFilter {
    /**
     * The loggers of a WARN with a stack trace for each connection of the event bus to a node that has died, and of
     * ISPN000136 as ERROR for each cache operation that fails and is tried again.
     */
    static final List<String> NAMES = List.of(
            "io.vertx.core.eventbus.impl.clustered.ClusteredEventBus",
            "org.infinispan.interceptors.impl.InvocationContextInterceptor");

    private static final String TRANSPORT = "org.jgroups.protocols.TCP";
    private static final Set<String> EXPECTED = Set.of(
            "org.infinispan.partitionhandling.AvailabilityException",
            "org.infinispan.commons.IllegalLifecycleStateException",
            "org.infinispan.remoting.transport.jgroups.SuspectException");
    private static final String CONSUMER = "io.vertx.core.eventbus.impl.MessageConsumerImpl";
    private static final String LATE =
            "Discarding message since the consumer is not registered. address: __vertx.shardbus.";

    /**
     * The first words of what a logger says of a start that failed, of the last messages of a node that has left, and
     * of PostgreSQL's connections at each stop.
     */
    private static final Map<String, String> STARTS_AND_STOPS = Map.of(
            "org.infinispan.CONFIG", "ISPN000660:",
            "org.jgroups.protocols.pbcast.NAKACK2", "JGRP000011:",
            "io.vertx.core.impl.VertxImpl", "Failed to initialize clustered Vert.x",
            "io.netty.util.concurrent.DefaultPromise.rejectedExecution", "Failed to submit a listener notification");

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LoudLoggers.class);

    /** Number of texts of a logger that have a pace of their own; all others have one together. */
    static final int MOST_TEXTS = 50;

    private final Map<String, Texts> loggers = new HashMap<>();
    private final Texts lost;

    /** The texts of one logger, before anything is filled in, each with its pace. Any thread. */
    private static final class Texts {
        private final LongSupplier clock;
        private final Map<String, LogPace> paces = new ConcurrentHashMap<>();
        private final LogPace others;

        Texts(LongSupplier clock) {
            this.clock = clock;
            this.others = new LogPace(clock, 1);
        }

        LogPace of(String text) {
            LogPace known = paces.get(text);
            if (known != null) {
                return known;
            }
            return paces.size() >= MOST_TEXTS ? others : paces.computeIfAbsent(text, added -> new LogPace(clock, 1));
        }
    }

    public LoudLoggers() {
        this(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** @param clock elapsed milliseconds */
    LoudLoggers(LongSupplier clock) {
        NAMES.forEach(name -> loggers.put(name, new Texts(clock)));
        lost = new Texts(clock);
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        if (format != null
                && (isLook(logger, format)
                        || isExpected(logger, failure)
                        || isLate(logger, format)
                        || isStartOrStop(logger, format))) {
            return FilterReply.DENY;
        }
        // without a text the logger is only asked whether a level is on
        if (format == null || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        if (LostPeers.isLine(logger.getName(), format, failure)) {
            tell(logger.getName(), LostPeers.shortened(format), failure);
            return FilterReply.DENY;
        }
        Texts texts = loggers.get(logger.getName());
        if (texts == null) {
            return FilterReply.NEUTRAL;
        }
        LogPace pace = texts.of(format);
        if (!pace.admits()) {
            return FilterReply.DENY;
        }
        LOG.info("the next line is of {}{}", logger.getName(), pace.note());
        return FilterReply.NEUTRAL;
    }

    private void tell(String logger, String text, @Nullable Throwable failure) {
        LogPace pace = lost.of(logger + text);
        if (pace.admits()) {
            LOG.warn(
                    "a peer is lost or does not answer: {}: {}{}{}",
                    logger,
                    text,
                    failure == null ? "" : ": " + failure,
                    pace.note());
        }
    }

    private static boolean isLook(Logger logger, String text) {
        return logger.getName().equals(TRANSPORT)
                && text.startsWith("JGRP000006:")
                && text.endsWith("java.io.EOFException");
    }

    private static boolean isStartOrStop(Logger logger, String text) {
        var begin = STARTS_AND_STOPS.get(logger.getName());
        return begin != null && text.startsWith(begin);
    }

    private static boolean isLate(Logger logger, String text) {
        return logger.getName().equals(CONSUMER) && text.startsWith(LATE);
    }

    private static boolean isExpected(Logger logger, @Nullable Throwable failure) {
        return logger.getName().equals(NAMES.get(1)) && LostPeers.hasCause(failure, EXPECTED);
    }
}
