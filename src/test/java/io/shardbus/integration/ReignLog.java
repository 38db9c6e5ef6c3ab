package io.shardbus.integration;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** The begins and ends of reigns of all nodes in this JVM, in their order, as the log tells operators. Close it. */
final class ReignLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final Pattern BEGIN = Pattern.compile("coordinating: term (\\d+)");
    private static final Pattern END = Pattern.compile("no longer coordinating, term (\\d+) has ended.*");

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.shardbus.runtime.coordinator.ElectionRunner");
    private final ch.qos.logback.classic.Level before = logger.getLevel();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    ReignLog() {
        logger.setLevel(ch.qos.logback.classic.Level.INFO);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        Matcher begin = BEGIN.matcher(event.getFormattedMessage());
        Matcher end = END.matcher(event.getFormattedMessage());
        if (begin.matches()) {
            events.add("begin " + begin.group(1));
        } else if (end.matches()) {
            events.add("end " + end.group(1));
        }
    }

    /** All begins and ends so far. */
    List<String> events() {
        return List.copyOf(events);
    }

    int begins() {
        return (int) events.stream().filter(event -> event.startsWith("begin")).count();
    }

    /** Where one reign began before the last had ended; empty when never. */
    List<String> overlaps() {
        List<String> found = new ArrayList<>();
        String reigning = null;
        for (String event : events) {
            String term = event.substring(event.indexOf(' ') + 1);
            if (event.startsWith("begin")) {
                if (reigning != null) {
                    found.add("term " + term + " began while term " + reigning + " went on");
                }
                reigning = term;
            } else if (term.equals(reigning)) {
                reigning = null;
            }
        }
        return found;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(before);
    }
}
