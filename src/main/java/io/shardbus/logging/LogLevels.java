package io.shardbus.logging;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The levels of Shardbus's own loggers in this process, set for a while where Logback writes the log. They are those of
 * the process, whichever of its nodes is asked. Any thread.
 */
public final class LogLevels {
    /** Limit of the loggers that may have another level at a time. */
    public static final int MOST = 100;

    /** The levels that can be set, from all to nothing. */
    public static final List<String> LEVELS = List.of("trace", "debug", "info", "warn", "error", "off");

    private static final Logger LOG = LoggerFactory.getLogger(LogLevels.class);
    private static final String ROOT = "io.shardbus";
    private static final Map<String, Setting> SET = new ConcurrentHashMap<>();

    /**
     * One logger that does not have its usual level.
     *
     * @param level one of {@link #LEVELS}
     * @param usual its own level before, empty where it followed the one above it
     * @param until when that comes back, in milliseconds since 1970
     */
    public record Setting(String logger, String level, String usual, long until) {}

    private LogLevels() {}

    /** Whether levels can be set: Logback writes the log. */
    public static boolean areAvailable() {
        return "ch.qos.logback.classic.LoggerContext"
                .equals(LoggerFactory.getILoggerFactory().getClass().getName());
    }

    /** Whether it is a logger of Shardbus, or a package of them, that has said or could have said something. */
    public static boolean exists(String logger) {
        return (logger.equals(ROOT) || logger.startsWith(ROOT + ".")) && LogbackLevels.exists(logger);
    }

    /** The loggers whose level is set now. */
    public static List<Setting> settings() {
        return SET.values().stream()
                .sorted((one, other) -> one.logger().compareTo(other.logger()))
                .toList();
    }

    /**
     * Sets a level, in place of one that was set before, for so long; empty where {@link #MOST} are set.
     *
     * @param logger one that {@link #exists}
     * @param level one of {@link #LEVELS}
     * @param now in milliseconds since 1970
     */
    public static Optional<Setting> set(String logger, String level, long millis, long now) {
        long until = now + millis;
        if (!SET.containsKey(logger) && SET.size() >= MOST) {
            return Optional.empty();
        }
        Setting set = change(logger, before -> {
            String usual = before == null ? LogbackLevels.own(logger) : before.usual();
            LogbackLevels.set(logger, level);
            return new Setting(logger, level, usual, until);
        });
        LOG.info("logger={}: level {} for {} s", logger, level.toUpperCase(Locale.ROOT), millis / 1_000);
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(() -> expire(logger, set));
        return Optional.ofNullable(set);
    }

    /** The logger has its usual level again; false if it has it already. */
    public static boolean reset(String logger) {
        Setting set = SET.get(logger);
        return set != null && expire(logger, set);
    }

    /** One that was set anew meanwhile stays. */
    private static boolean expire(String logger, @Nullable Setting set) {
        boolean[] ended = new boolean[1];
        change(logger, present -> {
            if (present == null || !present.equals(set)) {
                return present;
            }
            LogbackLevels.set(logger, present.usual());
            ended[0] = true;
            return null;
        });
        if (ended[0]) {
            LOG.info("logger={}: usual level again", logger);
        }
        return ended[0];
    }

    private static @Nullable Setting change(String logger, UnaryOperator<@Nullable Setting> change) {
        return SET.compute(logger, (name, before) -> change.apply(before));
    }
}
