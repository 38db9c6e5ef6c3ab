package io.shardbus.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlLinkTest {
    private static final NodeId SELF = new NodeId("self");
    private static final NodeId OTHER = new NodeId("other");
    private static final TermId TERM = new TermId(7, 1);
    private static final TermId NEXT_TERM = new TermId(8, 1);

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final BusTransport transport = new BusTransport(vertx, "", null, () -> 0);
    private final BlockingQueue<List<ControlMessage>> frames = new LinkedBlockingQueue<>();
    private final BlockingQueue<ControlMessage> own = new LinkedBlockingQueue<>();
    private final ControlLink link = new ControlLink(SELF, context, transport, this::takeOwn);

    private void takeOwn(ControlMessage message) {
        own.add(message);
        if (message.equals(again(13))) {
            throw new IllegalStateException("a message that its receiver does not bear");
        }
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private void listen() {
        transport
                .receiveControl(OTHER, frame -> frames.add(ControlCodec.decode(frame)))
                .ready()
                .await();
    }

    private void inOneTurn(Runnable turn) {
        context.runOnContext(ignored -> turn.run());
    }

    private List<ControlMessage> nextFrame() throws InterruptedException {
        return present(frames.poll(10, TimeUnit.SECONDS));
    }

    private static <T> T present(@Nullable T found) {
        return Objects.requireNonNull(found, "nothing came in 10 s");
    }

    private static ControlMessage again(long attempt) {
        return message("type", TERM, new ToRegion.RegisterAgain(attempt));
    }

    private static ControlMessage homes(String type, TermId term, int... shards) {
        List<ShardHome> homes = new ArrayList<>();
        for (int shard : shards) {
            homes.add(new ShardHome(shard, new FencingToken(7, 1, shard), new FencingToken(7, 1, shard), SELF, 1));
        }
        return message(type, term, new ToRegion.ShardHomes(homes));
    }

    private static ControlMessage message(String type, TermId term, ToRegion body) {
        return new ControlMessage.ForRegion(SELF, term, type, body);
    }

    @Test
    void whatGoesToOneNodeInOneTurnIsOneFrame() throws InterruptedException {
        listen();
        inOneTurn(() -> {
            link.send(OTHER, again(1));
            link.send(SELF, again(2));
            link.send(OTHER, again(3));
        });
        assertEquals(List.of(again(1), again(3)), nextFrame());
        inOneTurn(() -> link.send(OTHER, again(4)));
        assertEquals(List.of(again(4)), nextFrame());
        assertEquals(again(2), own.poll(10, TimeUnit.SECONDS));
        assertNull(own.poll());
    }

    @Test
    void homesThatFollowEachOtherBecomeOneMessage() throws InterruptedException {
        listen();
        inOneTurn(() -> {
            link.send(OTHER, homes("type", TERM, 1));
            link.send(OTHER, homes("type", TERM, 2, 3));
            link.send(OTHER, again(1));
            link.send(OTHER, homes("type", TERM, 4));
            link.send(OTHER, homes("other type", TERM, 5));
            link.send(OTHER, homes("other type", NEXT_TERM, 6));
            link.send(OTHER, homes("other type", NEXT_TERM, 7));
        });
        List<ControlMessage> expected = List.of(
                homes("type", TERM, 1, 2, 3),
                again(1),
                homes("type", TERM, 4),
                homes("other type", TERM, 5),
                homes("other type", NEXT_TERM, 6, 7));
        assertEquals(expected, nextFrame(), "what came in between, another type and another term keep them apart");
    }

    @Test
    void aMessageToItselfThatFailsDoesNotKeepTheOthers() throws InterruptedException {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        context.exceptionHandler(failures::add);
        inOneTurn(() -> {
            link.send(SELF, again(12));
            link.send(SELF, again(13));
            link.send(SELF, again(14));
        });
        for (int attempt = 12; attempt <= 14; attempt++) {
            assertEquals(again(attempt), own.poll(10, TimeUnit.SECONDS));
        }
        assertEquals(
                IllegalStateException.class,
                present(failures.poll(10, TimeUnit.SECONDS)).getClass());
    }

    @Test
    void flushSendsAtOnceAndKeepsWhatIsForItself() throws InterruptedException {
        listen();
        BlockingQueue<Integer> takenInTheTurn = new LinkedBlockingQueue<>();
        inOneTurn(() -> {
            link.send(SELF, again(1));
            link.send(OTHER, again(2));
            link.flush();
            link.send(OTHER, again(3));
            takenInTheTurn.add(own.size());
        });
        assertEquals(List.of(again(2)), nextFrame());
        assertEquals(List.of(again(3)), nextFrame());
        assertEquals(again(1), own.poll(10, TimeUnit.SECONDS));
        assertEquals(0, takenInTheTurn.poll(10, TimeUnit.SECONDS), "its own come after the turn");
    }

    @Test
    void aBroadcastIsForAllOthers() throws InterruptedException {
        listen();
        NodeMessage leaving = new NodeMessage.NodeLeaving(SELF, true);
        inOneTurn(() -> link.broadcast(List.of(SELF, OTHER), leaving));
        assertEquals(List.of(new ControlMessage.ForNode(SELF, leaving)), nextFrame());
        assertNull(own.poll());
    }

    @Test
    void manyLongMessagesOfOneTurnComeInSeveralFramesInTheirOrder() throws InterruptedException {
        listen();
        String text = "x".repeat(BusTransport.MOST_CONTROL_BYTES / 20);
        List<ControlMessage> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sent.add(message("type", TERM, new ToRegion.Refused(i, text)));
        }
        inOneTurn(() -> sent.forEach(each -> link.send(OTHER, each)));
        List<ControlMessage> come = new ArrayList<>();
        while (come.size() < sent.size()) {
            come.addAll(nextFrame());
        }
        assertEquals(sent, come);
        assertEquals(0, transport.refused());
    }
}
