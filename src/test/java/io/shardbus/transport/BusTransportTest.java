package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.transport.seal.ClusterSecret;
import io.shardbus.transport.seal.Seals;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BusTransportTest {
    private static final PeerLane LANE = new PeerLane(new NodeId("node"), 0);

    private final Vertx vertx = Vertx.vertx();
    private final BusTransport transport = new BusTransport(vertx, "test.", null, () -> 0);
    private final List<String> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    void aGreetingIsNoFrameAndGarbageIsCounted() {
        var registration = transport.receiveFrames("cart", LANE, frame -> received.add(frame.toString()));
        Await.result(registration.ready());
        transport.greet("cart", LANE);
        vertx.eventBus().send("__vertx.test.lane.cart.node.0", "no buffer");
        transport.sendFrame("cart", LANE, Buffer.buffer("a frame"));
        Await.until(() -> received, () -> !received.isEmpty());
        assertEquals(List.of("a frame"), received);
        assertEquals(1, transport.refused(), "the text alone");
    }

    private static Buffer ofBytes(int length) {
        return Buffer.buffer(new byte[length]);
    }

    @Test
    void aControlFrameThatIsTooLongIsRefusedAndCounted() {
        var self = new NodeId("node");
        var registration = transport.receiveControl(self, frame -> received.add(frame.length() + " bytes"));
        Await.result(registration.ready());
        transport.sendControl(self, ofBytes(BusTransport.MOST_CONTROL_BYTES + 1));
        transport.sendControl(self, ofBytes(BusTransport.MOST_CONTROL_BYTES));
        Await.until(() -> received, () -> !received.isEmpty());
        assertEquals(List.of(BusTransport.MOST_CONTROL_BYTES + " bytes"), received);
        assertEquals(1, transport.refused());
    }

    @Test
    void aQuestionThatIsTooLongIsRefusedBeforeItsSealIsLookedAt(@TempDir Path directory) throws IOException {
        var self = new NodeId("node");
        Path file = Files.writeString(directory.resolve("secret"), "a secret of the cluster");
        var secret = ClusterSecret.read(file.toString());
        var sealed = BusTransport.sealed(vertx, "test.", null, () -> 0, new Seals(secret, self, 1));
        var answers = sealed.answerQueries(self, new BusTransport.Answerer() {
            @Override
            public <A extends QueryAnswer> Future<A> answer(Query<A> query) {
                return Future.failedFuture("it was read");
            }
        });
        Await.result(answers.ready());
        String refusal = Await.result(vertx.eventBus()
                .request("__vertx.test.query.node", ofBytes(BusTransport.MOST_CONTROL_BYTES + 1))
                .map("answered")
                .otherwise(Throwable::getMessage));
        assertTrue(refusal.endsWith("16777216 at most"), refusal);
        assertEquals(1, sealed.refused());
        Await.result(answers.close());
    }

    private ShardingException refusal(Throwable answer) {
        var self = new NodeId("node");
        var answers = transport.answerQueries(self, new BusTransport.Answerer() {
            @Override
            public <A extends QueryAnswer> Future<A> answer(Query<A> query) {
                return Future.failedFuture(answer);
            }
        });
        Await.result(answers.ready());
        ShardingException refusal = LoneNode.failure(transport.query(self, new Query.Drained(), 5_000));
        Await.result(answers.close());
        return refusal;
    }

    @Test
    void aQuestionThatABuildDoesNotKnowFailsAsIncompatible() {
        var refusal = refusal(new ShardingException(FailureCode.INCOMPATIBLE, "unknown question: undrain"));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        assertEquals("node node runs another build of Shardbus: unknown question: undrain", refusal.getMessage());
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureCode.class,
            names = {"UNKNOWN_TYPE", "UNKNOWN_SHARD", "UNKNOWN_NODE", "NOT_APPLICABLE", "OUTCOME_UNKNOWN"})
    void whatIsWrongWithAQuestionReachesTheAskerAsItWasSaid(FailureCode code) {
        var refusal = refusal(new ShardingException(code, "no shard 7 of 'cart': use 0 to 3"));
        assertEquals(code, refusal.code());
        assertEquals("no shard 7 of 'cart': use 0 to 3", refusal.getMessage());
    }

    @Test
    void aRefusalKeepsItsCodeOnlyWhereItMayPass() {
        var refusal = refusal(new ShardingException(FailureCode.NOT_IN_MAJORITY, "not now"));
        assertEquals(FailureCode.NOT_IN_MAJORITY, refusal.code());
        var other = refusal(new ShardingException(FailureCode.SHUTTING_DOWN, "not here any more"));
        assertEquals(FailureCode.TIMED_OUT, other.code());
    }
}
