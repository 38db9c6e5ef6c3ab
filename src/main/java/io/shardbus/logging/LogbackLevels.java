package io.shardbus.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Levels of Logback's loggers; loaded only if Logback is present. */
final class LogbackLevels {
    private LogbackLevels() {}

    private static @Nullable Logger find(String name) {
        return ((LoggerContext) LoggerFactory.getILoggerFactory()).exists(name);
    }

    static boolean exists(String name) {
        return find(name) != null;
    }

    /** The logger's own level; empty if it inherits its parent's. */
    static String own(String name) {
        Logger logger = find(name);
        Level level = logger == null ? null : logger.getLevel();
        return level == null ? "" : level.toString().toLowerCase(Locale.ROOT);
    }

    /** @param level empty to follow the one above it */
    static void set(String name, String level) {
        Logger logger = find(name);
        if (logger != null) {
            logger.setLevel(level.isEmpty() ? null : Level.valueOf(level));
        }
    }
}
