package io.shardbus.transport.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.integration.Await;
import io.shardbus.integration.Ports;
import io.shardbus.model.NodeId;
import io.shardbus.options.DirectOptions;
import io.shardbus.transport.seal.ClusterSecret;
import io.shardbus.transport.seal.Seals;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lanes of one Vert.x with real connections between them. */
class LaneLinksTest {
    /** More bytes than the buffers of both sockets of a connection hold by the defaults of Linux. */
    private static final long MORE_THAN_SOCKETS_HOLD = 40_000_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(4));
    private final LinkedLane.Bus bus = new LinkedLane.Bus();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private LinkedLane lane(String name) {
        return lane(name, new DirectOptions());
    }

    private LinkedLane lane(String name, DirectOptions options) {
        return LinkedLane.deploy(vertx, bus, name, options);
    }

    @Test
    void bothEndsOfALinkRunOnTheEventLoopsOfTheirLanes() {
        List<LinkedLane> lanes = List.of(lane("a"), lane("b"), lane("c"));
        assertEquals(3, lanes.stream().map(LinkedLane::thread).distinct().count());
        for (LinkedLane from : lanes) {
            lanes.stream().filter(to -> to != from).forEach(from::link);
        }
        for (LinkedLane lane : lanes) {
            assertEquals(Set.of(lane.thread()), lane.threads);
            LinkNote offer = lanes.get(0).offerTo(lane);
            AtomicReference<NetSocket> connected = new AtomicReference<>();
            lane.onLane(() -> lane.links().connect(offer.host(), offer.port()).onSuccess(connected::set));
            Await.until(() -> "connected", () -> connected.get() != null);
            NetSocketInternal socket = (NetSocketInternal) connected.get();
            assertTrue(lane.onLane(
                    () -> socket.channelHandlerContext().channel().eventLoop().inEventLoop()));
        }
    }

    @Test
    void framesComeInOrderWhenTheyChangeToTheLink() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        AtomicBoolean heldOnce = new AtomicBoolean();
        // the bus is slow from the moment at which the last note leaves
        bus.lose(note -> {
            if (note.kind() == LinkNote.SWITCH && heldOnce.compareAndSet(false, true)) {
                bus.hold();
            }
            return false;
        });
        int number = 0;
        while (from.overLinks() < 2000) {
            from.send(to, Integer.toString(number));
            number++;
        }
        assertTrue(from.overBus() > 0, "some went over the bus");
        assertTrue(to.received.size() <= from.overBus(), "nothing was read from the link yet");
        bus.release();
        int sent = number;
        Await.until(() -> to.received.size() + " of " + sent, () -> to.received.size() == sent);
        assertEquals(IntStream.range(0, sent).mapToObj(Integer::toString).toList(), to.received);
    }

    @Test
    void withoutTheLastNoteTheBusIsUsedAgainUntilAnotherLinkIsThere() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        AtomicBoolean lost = new AtomicBoolean();
        bus.lose(note -> note.kind() == LinkNote.SWITCH && lost.compareAndSet(false, true));
        from.link(to);
        Await.until(() -> "the peer gives up", () -> !from.send(to, "again"));
        assertFalse(to.threads.contains(to.thread()), "nothing was read without the note");
        from.link(to);
        Await.until(() -> "over the new link", () -> !to.threads.isEmpty());
        assertEquals(List.of(), to.refusals);
    }

    @Test
    void aPeerWithoutLinksIsReachedOverTheBusAndAskedSeldom() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        bus.lose(note -> note.from().equals(to.self));
        Await.until(() -> to.notes, () -> {
            assertFalse(from.send(to, "frame"));
            return to.notes.size() == 2;
        });
        assertTrue(from.overBus() > 20, from.overBus() + " frames and only two questions");
        Await.until(() -> to.received.size(), () -> to.received.size() == from.overBus());
    }

    static List<Buffer> garbage() {
        Buffer token = new LinkToken(1, 2).greeting();
        return List.of(
                Buffer.buffer("GET / HTTP/1.1\r\n\r\n"),
                FrameCutter.framed(token),
                FrameCutter.framed(Buffer.buffer("short")),
                FrameCutter.framed(Buffer.buffer()),
                Buffer.buffer().appendInt(-1),
                Buffer.buffer().appendInt(Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void whoShowsNoTokenIsRefused(Buffer garbage) {
        LinkedLane lane = lane("a");
        LinkNote offer = lane.offerTo(lane("b"));
        assertEnds(connect(offer).write(garbage), lane);
    }

    private NetSocketInternal connect(LinkNote offer) {
        NetClient client = vertx.createNetClient();
        return (NetSocketInternal) Await.result(client.connect(offer.port(), offer.host()));
    }

    private static void assertEnds(Future<Void> written, LinkedLane lane) {
        Await.result(written);
        Await.until(() -> lane.refusals, () -> lane.refusals.size() == 1);
        assertEquals(List.of(), lane.received);
    }

    @Test
    void aTokenIsGoodForOneConnectionAndForFramesUpToTheLimit() {
        LinkedLane lane = lane("a");
        LinkedLane peer = lane("b");
        LinkNote offer = lane.offerTo(peer);
        Buffer greeting = FrameCutter.framed(offer.token().greeting());
        NetSocket first = connect(offer);
        AtomicReference<Buffer> answer = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        first.handler(answer::set).closeHandler(closed -> ended.set(true));
        Await.result(first.write(greeting));
        Await.until(() -> "answered", () -> answer.get() != null);
        assertEnds(connect(offer).write(greeting), lane);
        bus.send(lane.self, LinkNote.switching(peer.self, offer.token()).write());
        Await.result(first.write(FrameCutter.framed(Buffer.buffer("frame"))));
        Await.until(() -> lane.received, () -> lane.received.equals(List.of("frame")));
        Await.result(first.write(Buffer.buffer().appendInt(LinkedLane.MOST_BYTES + 1)));
        Await.until(() -> lane.refusals, () -> lane.refusals.size() == 2 && ended.get());
    }

    @Test
    void aConnectionFromWhichNothingComesEnds() {
        LinkedLane lane = lane("a");
        LinkedLane peer = lane("b");
        LinkNote offer = lane.offerTo(peer);
        AtomicReference<Buffer> answer = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        NetSocket socket = connect(offer).handler(answer::set).closeHandler(closed -> ended.set(true));
        Await.result(socket.write(FrameCutter.framed(offer.token().greeting())));
        Await.until(() -> "answered", () -> answer.get() != null);
        bus.send(lane.self, LinkNote.switching(peer.self, offer.token()).write());
        for (String frame : List.of("one", "two")) {
            Await.result(socket.write(FrameCutter.framed(Buffer.buffer(frame))));
            Await.until(() -> lane.received, () -> lane.received.contains(frame));
            IntStream.range(0, OutLink.IDLE).forEach(i -> beat(lane));
        }
        assertFalse(ended.get());
        IntStream.range(0, OutLink.IDLE).forEach(i -> beat(lane));
        Await.until(() -> "closed from the other side", ended::get);
    }

    @Test
    void framesBeforeTheAnswerAreRefused() {
        LinkedLane lane = lane("a");
        LinkNote offer = lane.offerTo(lane("b"));
        Buffer greeting = FrameCutter.framed(offer.token().greeting());
        assertEnds(connect(offer).write(greeting.appendBuffer(FrameCutter.framed(Buffer.buffer("frame")))), lane);
    }

    private LinkedLane sealed(String name, String secret) {
        try {
            Path file = Files.writeString(directory.resolve(secret), "the secret of a cluster: " + secret);
            Seals seals = new Seals(ClusterSecret.read(file.toString()), new NodeId(name), 1);
            return LinkedLane.deploy(vertx, bus, name, new DirectOptions(), seals);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void sealedFramesComeInOrderUpToTheLimit() {
        LinkedLane from = sealed("a", "one");
        LinkedLane to = sealed("b", "one");
        from.link(to);
        String large = "x".repeat(LinkedLane.MOST_BYTES);
        for (String frame : List.of("1", "2", large, "3")) {
            assertTrue(from.send(to, frame));
        }
        List<String> sent = List.of("1", "2", large, "3");
        Await.until(
                () -> to.received.size(),
                () -> to.received.size() >= sent.size()
                        && to.received
                                .subList(to.received.size() - sent.size(), to.received.size())
                                .equals(sent));
        assertEquals(List.of(), to.refusals);
    }

    @Test
    void whoHasSeenATokenAndNotTheSecretBringsNoFrame() {
        LinkedLane lane = sealed("a", "one");
        LinkedLane peer = sealed("b", "one");
        LinkNote offer = lane.offerTo(peer);
        AtomicReference<Buffer> answer = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        NetSocket socket = connect(offer).handler(answer::set).closeHandler(closed -> ended.set(true));
        Await.result(socket.write(FrameCutter.framed(offer.token().greeting())));
        Await.until(() -> "answered", () -> answer.get() != null);
        bus.send(lane.self, LinkNote.switching(peer.self, offer.token()).write());
        String forged = "a frame that is long enough to have a signature at its end";
        assertEnds(socket.write(FrameCutter.framed(Buffer.buffer(forged))), lane);
        Await.until(() -> "closed", ended::get);
        assertTrue(lane.refusals.get(0).contains("clusterSecretFile"), lane.refusals.get(0));
    }

    @Test
    void lanesOfWhichOneSealsNothingSpeakOverTheBus() {
        LinkedLane sealing = sealed("a", "one");
        LinkedLane plain = lane("b");
        for (LinkedLane from : List.of(sealing, plain)) {
            LinkedLane to = from == plain ? sealing : plain;
            assertFalse(from.send(to, "frame"));
            Await.until(() -> to.notes, () -> to.notes.stream().anyMatch(note -> note.kind() == LinkNote.ASK));
            Await.until(() -> to.received, () -> to.received.contains("frame"));
            assertFalse(from.send(to, "another"));
            assertTrue(from.notes.stream().noneMatch(note -> note.kind() == LinkNote.OFFER), "no place is offered");
        }
    }

    @Test
    void aFrameTooLargeForThePeerGoesOverTheBus() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        from.link(to);
        String large = "x".repeat(LinkedLane.MOST_BYTES);
        assertTrue(from.send(to, large));
        assertFalse(from.send(to, large + "x"));
        Await.until(() -> to.received.size(), () -> to.received.containsAll(List.of(large, large + "x")));
    }

    @Test
    void whatWasWrittenArrivesWhenTheLaneEnds() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        from.link(to);
        String text = "x".repeat(10_000);
        int before = from.overLinks();
        from.onLane(() -> {
            IntStream.range(0, 1000).forEach(i -> from.links().send(to.self, Buffer.buffer(i + text), true));
            return null;
        });
        from.undeploy();
        Await.until(() -> to.received.size(), () -> to.received.contains("999" + text));
        assertEquals(
                1000, to.received.stream().filter(frame -> frame.length() > 5).count());
        assertTrue(before > 0);
    }

    private static boolean sendAnswer(LinkedLane from, LinkedLane to) {
        return from.onLane(() -> from.links().send(to.self, Buffer.buffer("answer"), false));
    }

    private static long questions(LinkedLane lane) {
        return lane.notes.stream().filter(note -> note.kind() == LinkNote.ASK).count();
    }

    private static void beat(LinkedLane lane) {
        lane.onLane(() -> {
            lane.links().beat();
            return null;
        });
    }

    @Test
    void lanesThatOnlyAnswerHaveNoLinkButUseOne() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        assertFalse(sendAnswer(from, to));
        assertFalse(from.send(to, "a question"));
        assertFalse(sendAnswer(to, from));
        Await.until(() -> "a link", () -> sendAnswer(from, to));
        assertEquals(1, questions(to));
        assertEquals(List.of(), to.offersOf(from), "no link was asked for there");
    }

    @Test
    void aLinkClosesWhenNothingIsSentAndComesBack() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        from.link(to);
        AtomicInteger beats = new AtomicInteger();
        Await.until(() -> "the time is over", () -> {
            beat(from);
            return beats.incrementAndGet() == OutLink.IDLE;
        });
        assertFalse(sendAnswer(from, to));
        assertEquals(1, questions(to));
        assertFalse(from.send(to, "asks at once"));
        Await.until(() -> to.notes, () -> questions(to) == 2);
        from.link(to);
        assertEquals(List.of(), to.refusals);
    }

    @Test
    void aReceiverThatThrowsEndsTheLink() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        from.link(to);
        Await.until(() -> "over the link", () -> from.send(to, "before") && to.received.contains("before"));
        from.onLane(() -> {
            for (String frame : List.of(LinkedLane.FAULT, "behind", "it")) {
                assertTrue(from.links().send(to.self, Buffer.buffer(frame), true));
            }
            return null;
        });
        Await.until(() -> "over the bus", () -> !from.send(to, "after"));
        Await.until(() -> to.received, () -> to.received.contains("after"));
        assertFalse(to.received.contains("behind"));
        from.link(to);
        assertEquals(List.of(), to.refusals);
    }

    @Test
    void aLaneThatWasReplacedIsConnectedToAnew() {
        LinkedLane from = lane("a");
        LinkedLane former = lane("b");
        from.link(former);
        former.undeploy();
        LinkedLane next = lane("b");
        Await.until(() -> "noticed", () -> !from.send(next, "over the bus"));
        from.link(next);
        next.link(from);
        Await.until(() -> "over the link", () -> !next.threads.isEmpty());
    }

    @Test
    void aNodeThatIsGoneHasNoLinks() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        from.link(to);
        to.onLane(() -> {
            to.links().nodeGone(from.self.node());
            return null;
        });
        Await.until(() -> "closed from the other side", () -> !from.send(to, "over the bus"));
        from.link(to);
        from.onLane(() -> {
            from.links().nodeGone(to.self.node());
            return null;
        });
        assertFalse(from.send(to, "over the bus"));
    }

    /** Someone in the peer's place who takes the greeting, and reads nothing after that of itself. */
    private AtomicReference<NetSocket> putDeafPeer(LinkedLane from, LinkedLane to) {
        AtomicReference<NetSocket> deaf = new AtomicReference<>();
        int port = Await.result(vertx.createNetServer()
                        .connectHandler(socket -> socket.handler(greeting -> {
                            socket.pause();
                            deaf.set(socket);
                            socket.write(Buffer.buffer(new byte[] {1}));
                        }))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        bus.lose(note -> {
            boolean real = note.kind() == LinkNote.OFFER && note.port() != port;
            if (real) {
                LinkNote elsewhere = LinkNote.offer(to.self, note.token(), "127.0.0.1", port, note.mostBytes(), false);
                from.context().runOnContext(ignored -> from.links().noted(elsewhere.write()));
            }
            return real;
        });
        return deaf;
    }

    @Test
    void aPeerThatHearsNothingIsReachedOverTheBusAgain() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        putDeafPeer(from, to);
        from.link(to);
        Await.until(() -> "given up", () -> !from.send(to, "over the bus"));
    }

    @Test
    void aPeerThatReadsSlowlyKeepsItsLink() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        AtomicReference<NetSocket> peer = putDeafPeer(from, to);
        from.link(to);
        AtomicLong read = new AtomicLong();
        peer.get().handler(chunk -> read.addAndGet(chunk.length()));
        String text = "x".repeat(LinkedLane.MOST_BYTES);
        from.onLane(() -> {
            IntStream.range(0, 600).forEach(i -> from.links().send(to.self, Buffer.buffer(text), true));
            return null;
        });
        for (int i = 1; i <= 10; i++) {
            long enough = i * 4_000_000L;
            Await.until(read::get, () -> {
                peer.get().fetch(10);
                return read.get() >= enough;
            });
            beat(from);
        }
        assertTrue(sendAnswer(from, to), "after more beats than a deaf one has");
    }

    @Test
    void aLinkThatOpensAndFailsIsAskedForEverMoreSeldom() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        bus.lose(note -> note.kind() == LinkNote.SWITCH);
        AtomicInteger pause = new AtomicInteger();
        for (int failures = 0; failures < 3; failures++) {
            from.link(to);
            Await.until(() -> "the peer gives up", () -> {
                beat(to);
                return !sendAnswer(from, to);
            });
            pause.set(0);
            long asked = questions(to);
            Await.until(() -> "asked again", () -> {
                beat(from);
                pause.incrementAndGet();
                return from.send(to, "a question") || questions(to) > asked;
            });
        }
        assertTrue(pause.get() > 4, "asked again after " + pause.get());
    }

    @Test
    void aLaneEndsThoughItsPeerDoesNotRead() {
        LinkedLane from = lane("a");
        LinkedLane to = lane("b");
        putDeafPeer(from, to);
        from.link(to);
        String text = "x".repeat(LinkedLane.MOST_BYTES);
        long taken = from.onLane(() -> IntStream.range(0, 500)
                .filter(i -> from.links().send(to.self, Buffer.buffer(text), true))
                .count());
        assertTrue(taken * LinkedLane.MOST_BYTES > MORE_THAN_SOCKETS_HOLD, taken + " frames");
        assertTrue(from.onLane(() -> from.links().isOpen(to.self)));
        from.undeploy();
    }

    @Test
    void lanesTakePortsOfTheRangeUntilThereAreNone() {
        List<Integer> free = Ports.free(1);
        String range = free.get(0) + "-" + (free.get(0) + 1);
        DirectOptions options = new DirectOptions().setPorts(range);
        LinkedLane first = lane("a", options);
        LinkedLane second = lane("b", options);
        LinkedLane third = lane("c", options);
        List<Integer> ports =
                List.of(first.offerTo(second).port(), second.offerTo(first).port());
        assertEquals(List.of(free.get(0), free.get(0) + 1), ports);
        third.link(first);
        bus.lose(note -> note.kind() != LinkNote.ASK);
        assertFalse(first.send(third, "no listener is there"));
    }

    @Test
    void aLaneThatEndsBeforeItListensKeepsNoPort() {
        DirectOptions options =
                new DirectOptions().setPorts(Ports.free(1).get(0).toString());
        LinkedLane first = lane("a");
        DirectPlace place = bus.place(vertx, options);
        Await.result(first.onLane(() -> {
            LaneLinks early = place.open(first.wiring());
            Future<Void> started = early.start();
            return Future.join(early.close(), started);
        }));
        LinkedLane next = lane("b", options);
        assertEquals(options.firstPort(), next.portFor(first));
    }

    @Test
    void aLaneListensOnceAPortIsFree() throws IOException {
        int port = Ports.free(1).get(0);
        LinkedLane first = lane("a");
        LinkedLane late;
        try (var holder = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            late = lane("b", new DirectOptions().setPorts(Integer.toString(holder.getLocalPort())));
        }
        assertEquals(port, late.portFor(first));
    }

    @Test
    void linksMayBeEncrypted() {
        SelfSignedCertificate own = SelfSignedCertificate.create("lanes");
        DirectOptions encrypted = new DirectOptions()
                .setTlsKey(own.privateKeyPath())
                .setTlsCertificate(own.certificatePath())
                .setTlsTrust(own.certificatePath());
        LinkedLane from = lane("a", encrypted);
        LinkedLane to = lane("b", encrypted);
        from.link(to);
        Await.until(() -> "over the link", () -> !to.threads.isEmpty());
        LinkedLane plain = lane("c");
        assertFalse(plain.send(to, "a question"));
        Await.until(() -> plain.notes, () -> plain.notes.stream().anyMatch(note -> note.kind() == LinkNote.OFFER));
        Await.until(() -> "asked again", () -> {
            assertFalse(plain.send(to, "over the bus"));
            return plain.notes.size() == 2;
        });
    }

    @Test
    void notesAreReadAsWritten() {
        PeerLane lane = new PeerLane(new NodeId("node-1"), 63);
        List<LinkNote> notes = List.of(
                LinkNote.ask(lane, true),
                LinkNote.offer(lane, new LinkToken(-1, 5), "fe80::1", 65_535, 1 << 30, false),
                LinkNote.offer(lane, new LinkToken(-1, 5), "fe80::1", 65_535, 1 << 30, true),
                LinkNote.switching(lane, new LinkToken(3, -9)));
        for (LinkNote note : notes) {
            Buffer bytes = note.write();
            assertTrue(LinkNote.isNote(bytes));
            assertEquals(note, LinkNote.read(bytes));
            Buffer later = bytes.copy()
                    .appendBytes(new FieldWriter().text(99, "invented").toBytes());
            assertEquals(note, LinkNote.read(later));
            assertThrows(
                    WireFormatException.class, () -> LinkNote.read(bytes.copy().appendByte((byte) 0)));
        }
        Buffer nothing = Buffer.buffer().appendByte((byte) 0xff);
        assertThrows(WireFormatException.class, () -> LinkNote.read(nothing));
        Buffer offer = notes.get(1).write();
        Buffer noPlace = offer.getBuffer(0, offer.length() - 6);
        assertThrows(WireFormatException.class, () -> LinkNote.read(noPlace), "without the largest frame");
    }

    @Test
    void framesAreCutWhereverTheStreamIs() {
        List<String> frames = List.of("", "a", "x".repeat(300), "", "end");
        Buffer stream = Buffer.buffer();
        frames.forEach(frame -> stream.appendBuffer(FrameCutter.framed(Buffer.buffer(frame))));
        for (int size = 1; size <= stream.length(); size++) {
            List<String> cut = new ArrayList<>();
            FrameCutter cutter = new FrameCutter(300, frame -> cut.add(frame.toString()));
            for (int at = 0; at < stream.length(); at += size) {
                cutter.take(stream.getBuffer(at, Math.min(at + size, stream.length())));
            }
            assertEquals(frames, cut);
        }
    }
}
