package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.MessageProducer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The event bus itself logs these lines, so an upgrade must not make the filter void. */
@DisplayName("The log of an event bus whose peer is lost")
@Tag("slow")
class LostPeersIT {
    private static final String ADDRESS = "there";

    private final List<Vertx> nodes = new ArrayList<>();
    private final Lines lines = new Lines();
    private ServerSocket peer;
    private Socket accepted;
    private MessageProducer<Object> sender;

    /** The lines of Vert.x at WARN and ERROR. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final Logger logger = (Logger) LoggerFactory.getLogger("io.vertx");
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        Lines() {
            setContext(logger.getLoggerContext());
            start();
            logger.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }

        List<ILoggingEvent> with(String text) {
            return events.stream().filter(event -> told(event).contains(text)).toList();
        }

        void close() {
            logger.detachAppender(this);
        }
    }

    private static String told(ILoggingEvent event) {
        return event.getFormattedMessage() + " " + thrown(event);
    }

    private static Throwable thrown(ILoggingEvent event) {
        return event.getThrowableProxy() instanceof ThrowableProxy thrown ? thrown.getThrowable() : null;
    }

    /** The bus of the second node is a socket of this test. */
    @BeforeEach
    void connect() throws IOException {
        peer = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var ports = List.of(TestCluster.freePort(), TestCluster.freePort());
        var bus = new EventBusOptions().setHost("127.0.0.1");
        var first = node(ports.get(0), ports, bus);
        var second = node(
                ports.get(1),
                ports,
                new EventBusOptions(bus).setClusterPublicHost("127.0.0.1").setClusterPublicPort(peer.getLocalPort()));
        Await.result(second.eventBus().consumer(ADDRESS, message -> {}).completion());
        sender = first.eventBus().sender(ADDRESS);
        Await.result(sender.write("connects"));
        accepted = peer.accept();
        assertTrue(accepted.getInputStream().read() >= 0);
    }

    private Vertx node(int port, List<Integer> ports, EventBusOptions bus) {
        var options = new ClusterOptions()
                .setClusterName("lost-peers-" + ports.get(0))
                .setBindAddress("127.0.0.1")
                .setBindPort(port)
                .setPeers(ports.stream().map(known -> "127.0.0.1:" + known).toList());
        var started = Await.result(Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(bus).setEventLoopPoolSize(1))
                .withClusterManager(ShardbusClusterManager.create(options))
                .buildClustered());
        nodes.add(started);
        return started;
    }

    @AfterEach
    void close() throws IOException {
        lines.close();
        accepted.close();
        peer.close();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            Await.result(nodes.get(i).close());
        }
    }

    /** As the kernel does it for a process that is killed: the connection is reset. */
    private void reset() {
        try {
            accepted.setSoLinger(true, 0);
            accepted.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The filter lets nothing through of it, and says it in one line. */
    private static void assertOneLine(List<ILoggingEvent> events, String text) {
        var context = new LoggerContext();
        context.addTurboFilter(new LoudLoggers(() -> 1));
        var through = new ListAppender<ILoggingEvent>();
        through.start();
        try (var own = new LogLines(LoudLoggers.class.getName())) {
            for (int i = 0; i < 3; i++) {
                for (var event : events) {
                    var logger = context.getLogger(event.getLoggerName());
                    logger.addAppender(through);
                    logger.error(event.getMessage(), thrown(event));
                }
            }
            assertEquals(List.of(), through.list);
            assertEquals(1, own.with("").size(), () -> own.with("").toString());
            assertEquals(1, own.with(text).size(), () -> own.with("").toString());
        }
    }

    @Test
    @DisplayName("has a connection that was reset, without ERROR")
    void connectionReset() {
        reset();
        Await.until(() -> lines.events, () -> !lines.with("Connection reset").isEmpty());
        assertOneLine(lines.with("Connection reset"), "Connection reset");
    }

    @Test
    @DisplayName("has a connection that was refused, without a stack")
    void connectionRefused() throws IOException {
        peer.close();
        reset();
        Await.until(() -> lines.events, () -> !lines.with("Connection reset").isEmpty());
        // the first messages may go to the connection that was reset, until the bus has given it up
        Await.until(() -> lines.events, () -> {
            assertTrue(Await.result(sender.write("lost").transform(Future::succeededFuture))
                    .failed());
            return !lines.with("Connection refused").isEmpty();
        });
        assertOneLine(lines.with("Connection refused"), "Connection refused");
    }

    @Test
    @DisplayName("has messages that were not written from the loop of the connection, without a stack")
    void notWritten() {
        nodes.get(0).runOnContext(go -> {
            reset();
            long end = System.nanoTime() + Await.DEADLINE.toNanos();
            while (lines.with("already completed").isEmpty() && System.nanoTime() < end) {
                sender.write("lost");
            }
        });
        Await.until(() -> lines.events, () -> !lines.with("already completed").isEmpty());
        assertOneLine(lines.with("already completed"), "already completed");
    }

    @Test
    @DisplayName("has messages that were not written from another thread, without a stack")
    void notWrittenFromAnotherThread() {
        var sent = new CountDownLatch(1);
        nodes.get(0).runOnContext(go -> {
            reset();
            await(sent);
        });
        List<Future<?>> written = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            written.add(sender.write("lost"));
        }
        sent.countDown();
        Await.result(Future.join(written).transform(Future::succeededFuture));
        Await.until(() -> lines.events, () -> !lines.with("already completed").isEmpty());
        assertOneLine(lines.with("already completed"), "already completed");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Await.DEADLINE.toSeconds(), TimeUnit.SECONDS), "the other thread does not come");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
