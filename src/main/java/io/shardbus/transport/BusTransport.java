package io.shardbus.transport;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.transport.direct.DirectPlace;
import io.shardbus.transport.direct.LaneLinks;
import io.shardbus.transport.seal.Seals;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.tracing.TracingPolicy;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shardbus on the event bus: one address per node for control, one for queries, one per lane, one per entity type. Each
 * holds the node's id, so that a message never reaches another life of a process. Sending is at most once and in order
 * per sender context; messages that must arrive are repeated by the core.
 */
public final class BusTransport {
    /** Header with the command id of an event-bus client. */
    private static final String COMMAND_ID_HEADER = "command-id";

    /** Vert.x takes addresses that begin so for internal ones: metrics and bridges leave them out. */
    private static final String INTERNAL = "__vertx.";

    /**
     * The largest control frame or question that is read, in bytes: twice what the homes of 65,536 shards take. Longer
     * ones are refused before anything is read of them, or their seal is looked at.
     */
    public static final int MOST_CONTROL_BYTES = 16 << 20;

    /** Codes of failures that are about the question and not about the node that was asked, by their numbers. */
    private static final Map<Integer, FailureCode> SAID_OF_QUESTIONS = EnumSet.of(
                    FailureCode.UNKNOWN_TYPE,
                    FailureCode.UNKNOWN_SHARD,
                    FailureCode.UNKNOWN_NODE,
                    FailureCode.NOT_APPLICABLE,
                    FailureCode.OUTCOME_UNKNOWN)
            .stream()
            .collect(Collectors.toUnmodifiableMap(FailureCode::number, Function.identity()));

    private static final Logger LOG = LoggerFactory.getLogger(BusTransport.class);

    private final EventBus bus;
    private final String prefix;
    private final @Nullable DirectPlace direct;
    private final boolean within;
    private final @Nullable Seals seals;
    private final LongAdder refused = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LogPace pace;
    private final LogPace skippedPace;

    /**
     * @param prefix the begin of all addresses
     * @param direct where lanes listen for each other; null if they do not
     * @param clock elapsed milliseconds
     */
    public BusTransport(Vertx vertx, String prefix, @Nullable DirectPlace direct, LongSupplier clock) {
        this(vertx, prefix, direct, false, clock, null);
    }

    private BusTransport(
            Vertx vertx,
            String prefix,
            @Nullable DirectPlace direct,
            boolean within,
            LongSupplier clock,
            @Nullable Seals seals) {
        this.seals = seals;
        this.pace = new LogPace(clock);
        this.skippedPace = new LogPace(clock);
        this.bus = vertx.eventBus();
        this.prefix = prefix;
        this.direct = direct;
        this.within = within;
    }

    /** One whose nodes are all on this Vertx: nothing leaves it, and the cluster hears of no address. */
    public static BusTransport within(Vertx vertx, String prefix, LongSupplier clock) {
        return new BusTransport(vertx, prefix, null, true, clock, null);
    }

    /**
     * A transport that seals its messages to other nodes, and refuses messages that are not sealed with the same
     * secret.
     */
    public static BusTransport sealed(
            Vertx vertx, String prefix, @Nullable DirectPlace direct, LongSupplier clock, Seals seals) {
        return new BusTransport(vertx, prefix, direct, false, clock, seals);
    }

    /** Whether all its nodes are on this Vertx. */
    public boolean isWithin() {
        return within;
    }

    /** By which other nodes find out whether they have this node's cluster secret, or have none as this one. */
    public String secretFingerprint() {
        return seals == null ? Seals.NONE : seals.fingerprint();
    }

    /** Messages on our addresses that were not ours: another version, or garbage. */
    public long refused() {
        return refused.sum();
    }

    /** Number of skipped control messages and items of frames that a later build sent and this one does not know. */
    public long skipped() {
        return skipped.sum();
    }

    /** Counts what this build does not know and leaves out. */
    public void skipped(String what) {
        skipped.increment();
        if (skippedPace.admits()) {
            LOG.info("skipped {}: this build does not know it, a later one does{}", what, skippedPace.note());
        }
    }

    private String control(NodeId node) {
        return INTERNAL + prefix + "control." + node;
    }

    private String queries(NodeId node) {
        return INTERNAL + prefix + "query." + node;
    }

    private String lane(String type, PeerLane lane) {
        return INTERNAL + prefix + "lane." + type + "." + lane.node() + "." + lane.lane();
    }

    /** The address under which any event-bus client reaches the entities of a type. */
    public String entities(String type) {
        return prefix + type;
    }

    public void sendControl(NodeId to, Buffer frame) {
        send(to, control(to), frame);
    }

    /** Receives control frames on the caller's context; completes when the address is known to the cluster. */
    public Registration receiveControl(NodeId self, Consumer<Buffer> receiver) {
        return listen(control(self), MOST_CONTROL_BYTES, receiver);
    }

    /** A node left long ago: its state is dropped, and nothing is sent to it any more. */
    public void forget(NodeId node) {
        if (seals != null) {
            seals.forget(node);
        }
    }

    /** A message of a node that is no member here. A joining node repeats its messages, so this is no warning. */
    public void strangerRefused(NodeId node) {
        refused.increment();
        LOG.debug("refused a message of {}, which is not a member here", node);
    }

    /** A control message made sense and is not believed. */
    public void refusedControl(NodeId self, String problem) {
        refuse(control(self), problem);
    }

    public void sendFrame(String type, PeerLane to, Buffer frame) {
        send(to.node(), lane(type, to), frame);
    }

    /**
     * The direct links of a lane, opened on its context; null if this node has none.
     *
     * @param mostBytes the largest frame that the lane reads
     * @param receiver takes frames as {@link #receiveFrames} gives them
     */
    public @Nullable LaneLinks links(String type, PeerLane self, int mostBytes, Consumer<Buffer> receiver) {
        return direct == null
                ? null
                : direct.open(new LaneLinks.Wiring(
                        self,
                        mostBytes,
                        (to, note) -> sendFrame(type, to, note),
                        receiver,
                        problem -> refuse(lane(type, self), problem),
                        seals));
    }

    /** Sends an empty frame to a lane, so that its address is looked up before the next frame. */
    public void greet(String type, PeerLane to) {
        send(to.node(), lane(type, to), Buffer.buffer());
    }

    /** Receives frames on the caller's context; completes when the address is known to the cluster. */
    public Registration receiveFrames(String type, PeerLane self, Consumer<Buffer> receiver) {
        return listen(lane(type, self), Integer.MAX_VALUE, receiver);
    }

    private void send(NodeId to, String address, Buffer frame) {
        Buffer body = seals == null || frame.length() == 0
                ? frame
                : seals.seal(to, address, frame).bytes();
        bus.send(address, body, untraced());
    }

    /**
     * Delivery options without a trace: messages between nodes are in none; those between entities carry
     * theirs themselves.
     */
    private DeliveryOptions untraced() {
        return new DeliveryOptions().setLocalOnly(within).setTracingPolicy(TracingPolicy.IGNORE);
    }

    private Registration listen(String address, int mostBytes, Consumer<Buffer> receiver) {
        return register(address, message -> take(message, mostBytes, receiver));
    }

    private static void checkLength(Object message, int mostBytes) {
        if (message instanceof Buffer buffer && buffer.length() > mostBytes) {
            throw new WireFormatException("it has " + buffer.length() + " bytes, of " + mostBytes + " at most");
        }
    }

    private Registration register(String address, Handler<Message<Object>> handler) {
        return new Registration(within ? bus.localConsumer(address, handler) : bus.consumer(address, handler));
    }

    private void take(Message<Object> message, int mostBytes, Consumer<Buffer> receiver) {
        try {
            checkLength(message.body(), mostBytes);
            if (message.body() instanceof Buffer buffer) {
                receive(message.address(), buffer, receiver);
            } else {
                refuse(message.address(), "not a buffer");
            }
        } catch (WireFormatException e) {
            refuse(message.address(), String.valueOf(e.getMessage()));
        }
    }

    private void receive(String address, Buffer buffer, Consumer<Buffer> receiver) {
        boolean greeting = buffer.length() == 0;
        if (greeting) {
            return;
        }
        if (seals != null) {
            receiver.accept(seals.open(address, buffer).message());
        } else if (Seals.isSealed(buffer)) {
            throw new WireFormatException(Seals.NO_SECRET);
        } else {
            receiver.accept(buffer);
        }
    }

    private void refuse(String address, String problem) {
        refused.increment();
        if (pace.admits()) {
            LOG.warn("refused a message on {}: {}{}", address, problem, pace.note());
        }
    }

    private static int code(Throwable failure) {
        return failure instanceof ShardingException known ? known.code().number() : 1;
    }

    /**
     * Asks a node. Fails with NOT_IN_MAJORITY if it refused because it may not answer now, with INCOMPATIBLE if its
     * build does not know the question, with the code and the text of the node for what is wrong with the question
     * itself, which any node would say, else with TIMED_OUT.
     */
    public <A extends QueryAnswer> Future<A> query(NodeId to, Query<A> question, long timeoutMillis) {
        DeliveryOptions options = untraced().setSendTimeout(timeoutMillis);
        Seals with = seals;
        if (with == null) {
            return bus.<Object>request(queries(to), QueryCodec.write(question), options)
                    .map(answer -> QueryCodec.readAnswer(question, answer.body()))
                    .recover(failure -> Future.failedFuture(refusal(to, failure)));
        }
        Seals.Sealed sealed = with.seal(to, queries(to), QueryCodec.write(question));
        return bus.<Object>request(queries(to), sealed.bytes(), options)
                .map(answer -> QueryCodec.readAnswer(question, opened(with, sealed, answer.body())))
                .recover(failure -> Future.failedFuture(refusal(to, failure)));
    }

    private static Buffer opened(Seals with, Seals.Sealed question, @Nullable Object answer) {
        if (!(answer instanceof Buffer buffer)) {
            throw new WireFormatException(Seals.NOT_SEALED);
        }
        return with.openOnce(answerTo(question.name()), buffer).message();
    }

    /** Name under which the answer to a sealed question is sealed. */
    private static String answerTo(String question) {
        return "answer to " + question;
    }

    private static ShardingException refusal(NodeId by, Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        FailureCode code = FailureCode.TIMED_OUT;
        if (failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE) {
            if (reply.failureCode() == FailureCode.INCOMPATIBLE.number()) {
                String why = text.contains(Seals.OPTION) ? ": " : " runs another build of Shardbus: ";
                return new ShardingException(FailureCode.INCOMPATIBLE, "node " + by + why + text, failure);
            }
            FailureCode said = SAID_OF_QUESTIONS.get(reply.failureCode());
            if (said != null) {
                return new ShardingException(said, text, failure);
            }
            code = reply.failureCode() == FailureCode.NOT_IN_MAJORITY.number() ? FailureCode.NOT_IN_MAJORITY : code;
        }
        return new ShardingException(code, "node " + by + ": " + text, failure);
    }

    /** Whether a query failed because the node asked has another cluster secret, or only one of both has any. */
    public static boolean isOtherSecret(Throwable failure) {
        return failure instanceof ShardingException known
                && known.code() == FailureCode.INCOMPATIBLE
                && String.valueOf(known.getMessage()).contains(Seals.OPTION);
    }

    /** Whether a query failed because no handler heard it: nothing was done. */
    public static boolean isUnheard(Throwable failure) {
        return failure.getCause() instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
    }

    /** Answers queries of nodes. */
    public interface Answerer {
        <A extends QueryAnswer> Future<A> answer(Query<A> query);
    }

    /**
     * Answers the questions of other nodes; a failed future's message reaches the asker, and its {@link FailureCode} if
     * it has one.
     */
    public Registration answerQueries(NodeId self, Answerer answerer) {
        return register(queries(self), message -> {
            try {
                checkLength(message.body(), MOST_CONTROL_BYTES);
                answer(message, answerer);
            } catch (WireFormatException e) {
                refuse(message.address(), String.valueOf(e.getMessage()));
                message.fail(FailureCode.INCOMPATIBLE.number(), e.getMessage());
            }
        });
    }

    private void answer(Message<Object> message, Answerer answerer) {
        Seals with = seals;
        if (with != null && message.body() instanceof Buffer sealed) {
            Seals.Opened question = with.openQuestion(message.address(), sealed);
            answer(
                    message,
                    QueryCodec.readQuery(question.message()),
                    answerer,
                    answer -> with.sealOnce(answerTo(question.name()), QueryCodec.write(answer))
                            .bytes());
        } else if (with != null) {
            throw new WireFormatException(Seals.NOT_SEALED);
        } else if (message.body() instanceof Buffer sealed && Seals.isSealed(sealed)) {
            throw new WireFormatException(Seals.NO_SECRET);
        } else {
            answer(message, QueryCodec.readQuery(message.body()), answerer, QueryCodec::write);
        }
    }

    /** A question that is none of ours is refused like any other garbage. */
    private void answer(
            Message<Object> message, Query<?> question, Answerer answerer, Function<QueryAnswer, Buffer> writer) {
        try {
            answerer.answer(question)
                    .onComplete(
                            answer -> message.reply(writer.apply(answer)),
                            failure -> message.fail(code(failure), failure.getMessage()));
        } catch (RuntimeException e) {
            refuse(message.address(), "not a question: " + e);
            message.fail(1, "not a question: " + e);
        }
    }

    /**
     * A message for an entity from any event-bus client.
     *
     * @param wantsAnswer whether the client waits for an answer
     * @param commandId what the client calls its command; null if it says nothing
     * @param answer takes the answer or the failure
     */
    public record EntityMessage(
            String entityId,
            Object body,
            boolean wantsAnswer,
            @Nullable String commandId,
            BiConsumer<Object, Throwable> answer) {}

    /** Failure as a client receives it: the event bus carries a number and a text. */
    public record Refusal(int code, String text) {}

    /**
     * Receives messages for the entities of a type from event-bus clients of the cluster.
     *
     * @param idHeader the header that names the entity
     */
    public Registration receiveEntityMessages(
            String type, String idHeader, Handler<EntityMessage> receiver, Function<Throwable, Refusal> refusal) {
        return register(entities(type), message -> {
            String id = message.headers().get(idHeader);
            boolean wantsAnswer = message.replyAddress() != null;
            String command = message.headers().get(COMMAND_ID_HEADER);
            String entity = id == null ? "" : id;
            receiver.handle(new EntityMessage(entity, message.body(), wantsAnswer, command, (answer, failure) -> {
                if (wantsAnswer) {
                    Throwable problem = failure == null ? unsent(message, answer) : failure;
                    if (problem != null) {
                        Refusal told = refusal.apply(problem);
                        message.fail(told.code(), told.text());
                    }
                } else if (failure != null) {
                    refuse(message.address(), String.valueOf(failure.getMessage()));
                }
            }));
        });
    }

    /** Sends the answer; why not, where the event bus does not carry it, as what a user's codec may have made of it. */
    private static @Nullable Throwable unsent(Message<Object> message, Object answer) {
        try {
            message.reply(answer);
            return null;
        } catch (RuntimeException e) {
            return new ShardingException(FailureCode.PAYLOAD_NOT_ENCODABLE, String.valueOf(e.getMessage()), e);
        }
    }

    /** A registered address. */
    public static final class Registration {
        private final MessageConsumer<?> consumer;

        Registration(MessageConsumer<?> consumer) {
            this.consumer = consumer;
        }

        /** Completes when the address is known to the cluster. */
        public Future<Void> ready() {
            return consumer.completion();
        }

        public Future<Void> close() {
            return consumer.unregister();
        }
    }
}
