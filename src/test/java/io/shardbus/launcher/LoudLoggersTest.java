package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.remoting.transport.jgroups.SuspectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loggers of other libraries, paced by the filter that our configurations have. */
class LoudLoggersTest {
    private static final String CONSUMER = "io.vertx.core.eventbus.impl.MessageConsumerImpl";

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
                logger.warn("connecting failed", new IllegalStateException("refused"));
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
        logger("io.netty.util.concurrent.DefaultPromise.rejectedExecution")
                .error(
                        "Failed to submit a listener notification task. Event loop shut down?",
                        new RejectedExecutionException("event executor terminated"));
        var unavailable = new AvailabilityException("ISPN000306: Key is not available");
        caches.error("ISPN000136: Error executing command", new CompletionException(unavailable));
        var messages = logger("org.jgroups.protocols.pbcast.NAKACK2");
        messages.warn("JGRP000011: b: dropped message 178 from non-member a (view=[b|3] (1) [b])");
        assertEquals(0, lines.list.size());
        messages.warn("JGRP000041: a: message b::7 not found in retransmission table");
        assertEquals(1, lines.list.size());
        lines.list.clear();
        transport.warn("JGRP000006: 127.0.0.1:7801: failed accepting connection from peer Socket: SSLException");
        caches.error("ISPN000136: Error executing command", new IOException("no space left"));
        assertEquals(2, lines.list.size());
    }

    /** That of the present Infinispan: 15 has it in another package than 14. */
    private static Exception timeout() {
        try {
            return (Exception) ofEitherLine("org.infinispan.util.concurrent.TimeoutException")
                    .or(() -> ofEitherLine("org.infinispan.commons.TimeoutException"))
                    .orElseThrow()
                    .getConstructor(String.class)
                    .newInstance("ISPN000476: Timed out");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Empty where the present line does not have it. */
    private static Optional<Class<?>> ofEitherLine(String name) {
        try {
            return Optional.of(Class.forName(name));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "org.infinispan.interceptors.impl.InvocationContextInterceptor, ISPN000136: Error executing command",
        "org.infinispan.CLUSTER, ISPN000071: Caught exception when handling command"
    })
    void sayInOneLineThatAPeerDoesNotAnswer(String name, String text) {
        var caches = logger(name);
        try (var own = new LogLines(LoudLoggers.class.getName())) {
            for (int i = 0; i < 25; i++) {
                caches.error(text, new CompletionException(timeout()));
            }
            assertEquals(0, lines.list.size());
            assertEquals(
                    List.of("WARN a peer is lost or does not answer: " + name + ": " + text
                            + ": java.util.concurrent.CompletionException: "
                            + timeout().getClass().getName()
                            + ": ISPN000476: Timed out (no more of these in this minute)"),
                    own.with(""));
            now.addAndGet(60_000);
            caches.error(text + " with a key and a value".repeat(10), timeout());
            assertEquals(
                    1,
                    own.with("...: " + timeout().getClass().getName()).size(),
                    () -> own.with("").toString());
        }
        caches.error("another failure", new IllegalStateException("no space left"));
        assertEquals(1, lines.list.size());
    }

    @Test
    void leaveOutNoOtherUnhandledException() {
        var contexts = logger("io.vertx.core.impl.ContextImpl");
        var completed = assertThrows(IllegalStateException.class, () -> {
            Promise<Void> promise = Promise.promise();
            promise.fail("once");
            promise.fail("twice");
        });
        contexts.error("Unhandled exception", completed);
        contexts.error("Unhandled exception", new IllegalStateException("another"));
        assertEquals(2, lines.list.size());
    }

    /** The libraries say it themselves, so an upgrade must not make the filter void. */
    @Test
    void leaveOutTheStacksOfANodeThatCannotJoin() {
        var libraries = List.of("org.infinispan.CONFIG", "io.vertx.core.impl.VertxImpl");
        var said = libraries.stream().map(LogLines::new).toList();
        var nowhere = ShardbusClusterManager.create(
                new ClusterOptions().setBindAddress("no.such.host.invalid").setPeers(List.of("127.0.0.1:7999")));
        var joined = Vertx.builder().withClusterManager(nowhere).buildClustered();
        Await.until(() -> "it has not failed", joined::failed);
        var failed = joined.cause();
        assertTrue(failed.getMessage().contains("no.such.host.invalid"), failed::toString);
        for (int i = 0; i < libraries.size(); i++) {
            var lines = said.get(i).with("ERROR ");
            assertFalse(lines.isEmpty(), libraries.get(i));
            var text = lines.get(0).substring("ERROR ".length());
            logger(libraries.get(i)).error(text);
            logger(libraries.get(i)).error("another failure");
            said.get(i).close();
        }
        assertEquals(
                List.of("another failure", "another failure"),
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Await.DEADLINE.toSeconds(), TimeUnit.SECONDS), "the other thread does not come");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** What the bus says of a message that waits for a consumer when that one closes. */
    private static String lineOfALateMessage(String address) {
        var vertx = Vertx.vertx();
        try (var bus = new LogLines(CONSUMER)) {
            var context = vertx.getOrCreateContext();
            var registered = new CompletableFuture<MessageConsumer<Object>>();
            context.runOnContext(go -> registered.complete(vertx.eventBus().consumer(address, message -> {})));
            Await.result(registered.join().completion());
            var busy = new CountDownLatch(1);
            var sent = new CountDownLatch(1);
            context.runOnContext(go -> {
                busy.countDown();
                await(sent);
                registered.join().unregister();
            });
            await(busy);
            vertx.eventBus().send(address, "late");
            sent.countDown();
            Await.until(() -> bus.with(""), () -> !bus.with("WARN ").isEmpty());
            return bus.with("WARN ").get(0).substring("WARN ".length());
        } finally {
            Await.result(vertx.close());
        }
    }

    @Test
    void leaveOutAMessageThatWaitsForAnAddressOfShardbusWhenItCloses() {
        var logger = logger(CONSUMER);
        logger.warn(lineOfALateMessage("__vertx.shardbus.control.node"));
        assertEquals(0, lines.list.size());
        logger.warn(lineOfALateMessage("shardbus.cart"));
        assertEquals(1, lines.list.size(), "a message of a user is lost");
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
        assertFalse(LoudLoggers.NAMES.isEmpty());
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
                "examples/devices/logback.xml",
                "examples/kafka/logback.xml",
                "examples/killrweather/logback.xml",
                "examples/persistence/logback.xml"
            })
    void arePacedByOurConfigurations(String file) throws IOException {
        String text = Files.readString(Path.of(file));
        assertTrue(text.contains("<turboFilter class=\"" + LoudLoggers.class.getName() + "\"/>"), text);
        LoudLoggers.NAMES.forEach(name -> assertTrue(!text.contains("<logger name=\"" + name), text));
    }
}
