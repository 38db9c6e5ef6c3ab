package io.shardbus.integration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a class logs, as operators read it. Close it. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final Level levelBefore;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    /** @param of the class's name, as it may be of another package */
    public LogLines(String of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
        levelBefore = logger.getLevel();
    }

    /** Information, too, which tests do not log otherwise. */
    public LogLines withInformation() {
        logger.setLevel(Level.INFO);
        return this;
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        events.add(event);
    }

    /** The lines with this text so far: level, message, and what was thrown. */
    public List<String> with(String text) {
        return events.stream()
                .map(LogLines::line)
                .filter(line -> line.contains(text))
                .toList();
    }

    private static String line(ILoggingEvent event) {
        String thrown = event.getThrowableProxy() == null
                ? ""
                : ": " + event.getThrowableProxy().getMessage();
        return event.getLevel() + " " + event.getFormattedMessage() + thrown;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(levelBefore);
    }
}
