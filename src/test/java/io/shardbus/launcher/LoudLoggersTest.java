package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.remoting.transport.jgroups.SuspectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loggers of other libraries, paced by the filter that our configurations have. */
class LoudLoggersTest {
    private final AtomicLong now = new AtomicLong(1);
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private org.slf4j.Logger logger(String name) {
        lines.start();
        context.addTurboFilter(new LoudLoggers(now::get));
        var logger = context.getLogger(name);
        logger.addAppender(lines);
        return logger;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void sayOneLineAMinute(int which) {
        var logger = logger(LoudLoggers.NAMES.get(which));
        for (int i = 0; i < 25; i++) {
            if (logger.isWarnEnabled()) {
                logger.warn("connecting failed", new IOException("refused"));
            }
        }
        assertEquals(1, lines.list.size());
        logger.error("ISPN000136: {}", "failed");
        logger.error("ISPN000136: {}", "failed again");
        assertEquals(2, lines.list.size(), "another text is left out by no other");
        assertEquals("ISPN000136: failed", lines.list.get(1).getFormattedMessage());
        now.addAndGet(60_000);
        logger.warn("connecting failed");
        assertEquals(3, lines.list.size());
    }

    @Test
    void paceManyTextsTogether() {
        var logger = logger(LoudLoggers.NAMES.get(0));
        for (int i = 0; i < 10 * LoudLoggers.MOST_TEXTS; i++) {
            logger.warn("connecting to node " + i + " failed");
        }
        assertEquals(LoudLoggers.MOST_TEXTS + 1, lines.list.size());
    }

    @Test
    void doNotCountWhatTheirLevelLeavesOut() {
        var logger = logger(LoudLoggers.NAMES.get(0));
        context.getLogger(LoudLoggers.NAMES.get(0)).setLevel(ch.qos.logback.classic.Level.WARN);
        logger.info("left out");
        logger.warn("told");
        assertEquals(1, lines.list.size());
    }

    @Test
    void leaveOutWhatBelongsToEachStartAndStop() {
        var transport = logger("org.jgroups.protocols.TCP");
        transport.warn(
                "JGRP000006: 127.0.0.1:7801: failed accepting connection from peer Socket: java.io.EOFException");
        var caches = logger(LoudLoggers.NAMES.get(1));
        var stopped = new IllegalLifecycleStateException("ISPN000324: Cache is in 'STOPPING' state");
        caches.error("ISPN000136: Error executing command", new CompletionException(stopped));
        caches.error("ISPN000136: Error executing command", new SuspectException("left"));
        assertEquals(0, lines.list.size());
        transport.warn("JGRP000006: 127.0.0.1:7801: failed accepting connection from peer Socket: SSLException");
        caches.error("ISPN000136: Error executing command", new IOException("no space left"));
        assertEquals(2, lines.list.size());
    }

    @Test
    void othersAreAsTheyWere() {
        var logger = logger("io.vertx.core.impl");
        for (int i = 0; i < 25; i++) {
            logger.warn("something");
        }
        assertEquals(25, lines.list.size());
    }

    /** An upgrade must not make the filter void. */
    @Test
    void areClassesOfTheLibraries() {
        for (String name : LoudLoggers.NAMES) {
            assertDoesNotThrow(() -> Class.forName(name, false, getClass().getClassLoader()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "conf/logback.xml",
                "examples/auction/logback.xml",
                "examples/counter/logback.xml",
                "examples/devices/logback.xml"
            })
    void arePacedByOurConfigurations(String file) throws IOException {
        String text = Files.readString(Path.of(file));
        assertTrue(text.contains("<turboFilter class=\"" + LoudLoggers.class.getName() + "\"/>"), text);
        LoudLoggers.NAMES.forEach(name -> assertTrue(!text.contains("<logger name=\"" + name), text));
    }
}
