package io.shardbus.logging;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * The last warnings and errors in the log of this process, of Shardbus and what it runs on ({@link #ROOTS}), where
 * Logback writes the log. They are those of the process, whichever of its nodes is asked. Any thread.
 */
public final class RecentWarnings {
    /** Limit of the lines that are kept; a later one drops the oldest. */
    public static final int MOST = 100;

    /** Limit of a text, in characters; the rest of a longer one is cut. */
    public static final int LONGEST_TEXT = 500;

    /** The loggers, with all below them, whose lines are kept: an application's own lines are not. */
    public static final List<String> ROOTS = List.of("io.shardbus", "io.vertx", "org.infinispan", "org.jgroups");

    private static final ArrayDeque<Warning> LAST = new ArrayDeque<>();

    /**
     * One line.
     *
     * @param at in milliseconds since 1970
     * @param level WARN or ERROR
     * @param text the message without its stack trace
     */
    public record Warning(long at, String level, String logger, String text) {}

    private RecentWarnings() {}

    /** Keeps what the log says from now on. Does nothing where it does so already, or where Logback is not there. */
    public static void begin() {
        if (LogLevels.areAvailable()) {
            LogbackWarnings.attach();
        }
    }

    /** The oldest first; empty where Logback is not there. */
    public static Optional<List<Warning>> last() {
        if (!LogLevels.areAvailable()) {
            return Optional.empty();
        }
        synchronized (LAST) {
            return Optional.of(List.copyOf(LAST));
        }
    }

    static void add(Warning warning) {
        synchronized (LAST) {
            if (LAST.size() == MOST) {
                LAST.removeFirst();
            }
            LAST.addLast(warning);
        }
    }
}
