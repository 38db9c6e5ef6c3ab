package io.shardbus.datacenter;

import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestAuthority;
import io.shardbus.model.FailureCode;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.transport.direct.FrameCutter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node in east, and two in west that know nothing of each other. */
class DataCenterLinkTest {
    private static final EntityType<String> TEXTS = EntityType.of("texts", String.class);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final LoneNode east = new LoneNode(new ShardingOptions());
    private final List<LoneNode> west = new ArrayList<>();
    private final Promise<Void> gate = Promise.promise();

    /** Answers with the name of its node and the message. */
    private final class Texts implements Entity<String> {
        private final String node;

        private Texts(String node) {
            this.node = node;
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            if (message.equals("wait")) {
                return gate.future();
            }
            if (message.equals("refuse")) {
                throw new EntityFailure("no-more", "no".repeat(1_000_000));
            }
            return reply(node + " " + message);
        }
    }

    @BeforeEach
    void begin() {
        for (int i = 0; i < 2; i++) {
            west.add(new LoneNode(new ShardingOptions()));
        }
    }

    @AfterEach
    void end() {
        gate.tryComplete();
        east.close();
        west.forEach(LoneNode::close);
    }

    private static DataCenterOptions options(String name) {
        return new DataCenterOptions()
                .setName(name)
                .setHeartbeatIntervalMs(20)
                .setUnreachableAfterMs(3000)
                .setMaxPending(50);
    }

    private DataCenters startWest(int index, String name, @Nullable TlsOptions tls) {
        var node = west.get(index);
        var started = await(
                DataCenters.start(node.vertx(), node.sharding(), options(name).setTls(tls)));
        await(started.start(EntityDefinition.of(TEXTS, id -> new Texts("west-" + index))));
        return started;
    }

    private DataCenters startEast(@Nullable TlsOptions tls, int... ports) {
        var addresses = new ArrayList<String>();
        for (int port : ports) {
            addresses.add("127.0.0.1:" + port);
        }
        var started = await(DataCenters.start(
                east.vertx(), east.sharding(), options("east").setTls(tls).setOthers(Map.of("west", addresses))));
        started.share(TEXTS);
        return started;
    }

    private static String code(Throwable failure) {
        return failure instanceof ShardingException known ? known.code().name() : failure.toString();
    }

    private static Future<String> ask(DataCenters from, String message) {
        return from.entityRef(TEXTS, "west", "one").request(message, String.class, LONG);
    }

    @Test
    void failuresKeepTheirCodesAndAreNeverTooLarge() {
        var centers = startEast(null, startWest(0, "west", null).port());
        assertEquals("west-0 hello", await(ask(centers, "hello")));
        var refused = failure(ask(centers, "refuse"));
        assertEquals("no-more", refused.entityCode());
        assertEquals(FailureCode.ENTITY_FAILED, refused.code());
        assertEquals(FailureCode.PAYLOAD_TOO_LARGE, failureCode(ask(centers, "x".repeat(5_000_000))));
        assertEquals("west-0 hello", await(ask(centers, "hello")));
        for (var id : List.of("", "x".repeat(1025), "\uD800", "a\0b")) {
            var invalid = assertThrows(ShardingException.class, () -> centers.entityRef(TEXTS, "west", id));
            assertEquals(FailureCode.INVALID_ID, invalid.code());
        }
        assertThrows(IllegalArgumentException.class, () -> centers.entityRef(TEXTS, "north", "one"));
    }

    @Test
    void moreThanMayBePendingIsRefused() {
        var centers = startEast(null, startWest(0, "west", null).port());
        assertEquals("west-0 hello", await(ask(centers, "hello")));
        var pending = new ArrayList<Future<String>>();
        for (int i = 0; i < 50; i++) {
            pending.add(ask(centers, "wait"));
        }
        var entity = centers.entityRef(TEXTS, "west", "one");
        assertTrue(entity.writeQueueFull());
        assertEquals(FailureCode.REGION_BUFFER_FULL, failureCode(ask(centers, "hello")));
        entity.tell("lost");
        Await.until(
                () -> centers.others().toString(),
                () -> centers.others().get("west").lostTells() == 1);
        var drained = Promise.<Void>promise();
        entity.drainHandler(drained::complete);
        assertFalse(drained.future().isComplete());
        gate.complete();
        await(Future.join(pending));
        await(drained.future());
        assertEquals("west-0 hello", await(ask(centers, "hello")));
        assertEquals(0, centers.others().get("west").pending());
    }

    @Test
    void messagesWaitForTheFirstConnectionAndNoLongerThanTheirDeadline() {
        int port = ClusterTestKit.freePort();
        var centers = startEast(null, port);
        var early = centers.entityRef(TEXTS, "west", "one").request("hello", String.class, Duration.ofMillis(50));
        assertEquals(FailureCode.TIMED_OUT, failureCode(early));
        assertEquals(0, centers.others().get("west").pending());
        var waits = ask(centers, "hello");
        var node = west.get(0);
        await(DataCenters.start(node.vertx(), node.sharding(), options("west").setPort(port)));
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(waits));
    }

    @Test
    void aListenerThatThrowsKeepsNoMessageFromLeaving() {
        int port = ClusterTestKit.freePort();
        var centers = startEast(null, port);
        var heard = Promise.<DataCenterEvent>promise();
        centers.onChange(event -> {
            throw new IllegalStateException("the test says so");
        });
        centers.onChange(heard::tryComplete);
        var waits = ask(centers, "hello");
        var node = west.get(0);
        var other = await(
                DataCenters.start(node.vertx(), node.sharding(), options("west").setPort(port)));
        await(other.start(EntityDefinition.of(TEXTS, id -> new Texts("west-0"))));
        assertEquals(new DataCenterEvent("west", true), await(heard.future()));
        assertTrue(Set.of("UNKNOWN_TYPE", "west-0 hello").contains(await(waits.otherwise(DataCenterLinkTest::code))));
    }

    /** A node of west that gives the answers to so many asks in one piece. */
    private void answerAtOnce(NetSocket socket, int asks) {
        var all = Buffer.buffer();
        var numbers = new ArrayList<Long>();
        var shared = SharedType.of(TEXTS, new ShardingOptions());
        var cutter = new FrameCutter(100_000, in -> {
            var frame = Frame.decode(in);
            if (frame.kind() == Frame.Kind.HELLO) {
                socket.write(FrameCutter.framed(Frame.welcome("west").encode()));
            } else if (frame.kind() == Frame.Kind.ASK) {
                numbers.add(frame.number());
                all.appendBuffer(FrameCutter.framed(Frame.answer(frame.number(), shared.encodeAnswer("answer"))
                        .encode()));
                if (numbers.size() == asks) {
                    socket.write(all);
                }
            }
        });
        socket.handler(cutter::take);
    }

    @Test
    void aHandlerThatThrowsConcernsNoOtherAsk() {
        var server = east.vertx().createNetServer().connectHandler(socket -> answerAtOnce(socket, 3));
        await(server.listen(0, "127.0.0.1"));
        var centers = startEast(null, server.actualPort());
        var asked = new ArrayList<Future<String>>();
        for (int i = 0; i < 3; i++) {
            var next = centers.entityRef(TEXTS, "west", "one").request("hello", String.class, LONG);
            next.onComplete(answer -> {
                throw new IllegalStateException("the test says so");
            });
            asked.add(next);
        }
        for (var next : asked) {
            assertEquals("answer", await(next));
        }
        await(server.close());
    }

    @Test
    void aNodeThatLeavesPassesTheLinkOnAndNothingFails() {
        var centers = startEast(
                null,
                startWest(0, "west", null).port(),
                startWest(1, "west", null).port());
        var first = await(ask(centers, "hello"));
        var second = first.equals("west-0 hello") ? "west-1 hello" : "west-0 hello";
        var leaving = west.remove(first.equals("west-0 hello") ? 0 : 1);
        var gone = new AtomicBoolean();
        leaving.sharding()
                .prepareToLeave(Duration.ofMillis(200))
                .compose(left -> leaving.vertx().close())
                .onSuccess(closed -> gone.set(true));
        do {
            var answer = await(ask(centers, "hello"));
            assertTrue(Set.of(first, second).contains(answer), answer);
        } while (!gone.get());
        assertEquals(second, await(ask(centers, "hello")));
    }

    @Test
    void anotherDataCenterThanExpectedIsRefusedAndTheNextAddressIsTaken() {
        try (var log = new LogLines("io.shardbus.datacenter.DataCenterLink")) {
            var centers = startEast(
                    null,
                    startWest(0, "north", null).port(),
                    startWest(1, "west", null).port());
            assertEquals("west-1 hello", await(ask(centers, "hello")));
            assertEquals(1, log.with("this is data center north, not west").size());
        }
    }

    @Test
    void whatIsNoFrameEndsItsConnectionOnly() {
        int port = startWest(0, "west", null).port();
        var centers = startEast(null, port);
        assertEquals("west-0 hello", await(ask(centers, "hello")));
        for (var bytes : List.of(
                Buffer.buffer("GET / HTTP/1.1\r\n\r\n"),
                Buffer.buffer(new byte[] {0, 0, 0, 3, 0x22, 0x50, 1}),
                FrameCutter.framed(Frame.message(Frame.Kind.ASK, 1, 1000, "texts", "one", Buffer.buffer("x"))
                        .encode()))) {
            var closed = Promise.<Void>promise();
            var client = east.vertx().createNetClient();
            client.connect(port, "127.0.0.1").onSuccess(socket -> {
                socket.closeHandler(closed::complete);
                socket.write(bytes);
            });
            await(closed.future());
            await(client.close());
        }
        assertEquals("west-0 hello", await(ask(centers, "hello")));
    }

    @Test
    void withTlsOnlyCertificatesOfTheAuthorityAreTaken(@TempDir Path directory) {
        var authority = new TestAuthority("links");
        int port = startWest(0, "west", authority.node(directory, "west")).port();
        var trusted = startEast(authority.node(directory, "east"), port);
        assertEquals("west-0 hello", await(ask(trusted, "hello")));
        await(trusted.close());
        for (var stranger : new TlsOptions[] {null, new TestAuthority("other").node(directory, "stranger")}) {
            var refused = await(DataCenters.start(
                    east.vertx(),
                    east.sharding(),
                    options("east")
                            .setTls(stranger)
                            .setUnreachableAfterMs(400)
                            .setOthers(Map.of("west", List.of("127.0.0.1:" + port)))));
            refused.share(TEXTS);
            assertEquals(FailureCode.DATA_CENTER_UNREACHABLE, failureCode(ask(refused, "hello")));
            await(refused.close());
        }
    }
}
