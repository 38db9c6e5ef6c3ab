package io.shardbus.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.shardbus.logging.LogPace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * For Logback: lets loggers of the libraries below say what Shardbus expects and handles once a minute, and tells how
 * often it was left out. In {@code logback.xml}:
 *
 * <pre>{@code
 * <turboFilter class="io.shardbus.launcher.LoudLoggers"/>
 * }</pre>
 */
public final class LoudLoggers extends TurboFilter {
    /**
     * A WARN with a stack trace for each connection of the event bus to a node that has died, and ISPN000136 as ERROR
     * for each cache operation that fails and is tried again.
     */
    static final List<String> NAMES = List.of(
            "io.vertx.core.eventbus.impl.clustered.ClusteredEventBus",
            "org.infinispan.interceptors.impl.InvocationContextInterceptor");

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LoudLoggers.class);

    private final Map<String, LogPace> paces = new HashMap<>();

    public LoudLoggers() {
        this(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** @param clock elapsed milliseconds */
    LoudLoggers(LongSupplier clock) {
        NAMES.forEach(name -> paces.put(name, new LogPace(clock, 1)));
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        LogPace pace = paces.get(logger.getName());
        // without a text the logger is only asked whether a level is on
        if (pace == null || format == null || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        if (!pace.admits()) {
            return FilterReply.DENY;
        }
        LOG.info("the next line is of {}{}", logger.getName(), pace.note());
        return FilterReply.NEUTRAL;
    }
}
