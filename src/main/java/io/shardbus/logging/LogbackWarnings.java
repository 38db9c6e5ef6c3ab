package io.shardbus.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** Receives the lines of Logback's loggers; loaded only where it is there. */
final class LogbackWarnings extends AppenderBase<ILoggingEvent> {
    private static final String NAME = "shardbus-recent-warnings";

    private LogbackWarnings() {}

    static synchronized void attach() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        for (String root : RecentWarnings.ROOTS) {
            var logger = context.getLogger(root);
            if (logger.getAppender(NAME) == null) {
                var appender = new LogbackWarnings();
                appender.setName(NAME);
                appender.setContext(context);
                appender.start();
                logger.addAppender(appender);
            }
        }
    }

    @Override
    protected void append(ILoggingEvent line) {
        if (line.getLevel().isGreaterOrEqual(Level.WARN)) {
            String text = line.getFormattedMessage();
            RecentWarnings.add(new RecentWarnings.Warning(
                    line.getTimeStamp(),
                    line.getLevel().toString(),
                    line.getLoggerName(),
                    text.length() <= RecentWarnings.LONGEST_TEXT
                            ? text
                            : text.substring(0, RecentWarnings.LONGEST_TEXT)));
        }
    }
}
