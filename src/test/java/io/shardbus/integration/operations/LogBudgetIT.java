package io.shardbus.integration.operations;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.spi.FilterReply;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** With conf/logback.xml a healthy cluster says a handful of lines over start, join and leave of three nodes. */
class LogBudgetIT {
    /** Of a node: two ports, up to three views, a term that begins and ends, a leave with its losses. */
    private static final int LINES_OF_A_NODE = 9;

    private static final int NODES = 3;

    /** What operators read: lines whose loggers the file has at their level, and that its filter leaves. */
    private static final class Operator extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final LoggerContext file = new LoggerContext();
        private final ch.qos.logback.classic.Logger root =
                (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        private final Level before = root.getLevel();
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Operator() throws JoranException {
            var configurator = new JoranConfigurator();
            configurator.setContext(file);
            configurator.doConfigure(Path.of("conf/logback.xml").toFile());
            setContext(root.getLoggerContext());
            start();
            root.addAppender(this);
            root.setLevel(Level.INFO);
        }

        @Override
        protected void append(ILoggingEvent event) {
            Level least = file.getLogger(event.getLoggerName()).getEffectiveLevel();
            if (event.getLevel().isGreaterOrEqual(least) && filtered(event) != FilterReply.DENY) {
                lines.add(event.getLevel() + " " + event.getLoggerName() + " - " + event.getFormattedMessage());
            }
        }

        private FilterReply filtered(ILoggingEvent event) {
            var thrown = (ThrowableProxy) event.getThrowableProxy();
            return file.getTurboFilterList()
                    .getTurboFilterChainDecision(
                            null,
                            file.getLogger(event.getLoggerName()),
                            event.getLevel(),
                            event.getMessage(),
                            event.getArgumentArray(),
                            thrown == null ? null : thrown.getThrowable());
        }

        List<String> with(String text) {
            return lines.stream().filter(line -> line.contains(text)).toList();
        }

        @Override
        public void close() {
            root.setLevel(before);
            root.detachAppender(this);
            file.stop();
        }
    }

    @Test
    void startJoinAndLeaveOfThreeNodes() throws JoranException {
        try (var operator = new Operator()) {
            try (var cluster = new TestCluster()) {
                cluster.start(NODES, TestCluster.options()).startType(MovingCounter.forgotten());
                for (int i = 0; i < 60; i++) {
                    await(cluster.node(i % NODES)
                            .sharding()
                            .entityRef(MovingCounter.FORGOTTEN, "e" + i)
                            .ask(new AddAndGet(1)));
                }
            }
            List<String> all = operator.with("");
            assertTrue(all.size() <= NODES * LINES_OF_A_NODE, () -> all.size() + " lines:\n" + String.join("\n", all));
            assertTrue(all.size() >= NODES, "nothing was counted");
            // the last node of all takes what its entities knew with it, and says so once
            assertEquals(
                    1,
                    operator.with("this region ends before another home has the states")
                            .size(),
                    () -> String.join("\n", all));
            assertEquals(List.of(), operator.with("loses its state"));
            assertEquals(1, operator.with("WARN io.shardbus.runtime.region").size(), () -> String.join("\n", all));
        }
    }
}
