package io.shardbus.testkit;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.codec.AnswerTypes;
import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardHash;
import io.shardbus.runtime.region.Addressing;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An entity reference for tests: it records the messages that it was told and asked, in order, and answers asks by a
 * function of the test. May be used from any thread.
 */
public final class TestEntityRef<M> implements EntityRef<M> {
    static final NodeId NODE = new NodeId("test");
    static final int SHARDS = 100;

    private final EntityType<M> type;
    private final String id;
    private final List<M> received = new CopyOnWriteArrayList<>();
    private volatile Function<? super M, ? extends Future<?>> answers = TestEntityRef::noAnswer;

    private TestEntityRef(EntityType<M> type, String id) {
        Addressing.checkId(id);
        this.type = type;
        this.id = id;
    }

    /**
     * A reference whose asks fail with TIMED_OUT at once.
     *
     * @throws ShardingException INVALID_ID for an id that no entity can have
     */
    public static <M> TestEntityRef<M> of(EntityType<M> type, String id) {
        return new TestEntityRef<>(type, id);
    }

    /** Answers asks by this function from now on; a failed future fails the ask. */
    public TestEntityRef<M> answering(Function<? super M, ? extends Future<?>> function) {
        answers = Objects.requireNonNull(function, "function");
        return this;
    }

    /** The messages that were told and asked so far, in order, without start requests. */
    public List<M> received() {
        return List.copyOf(received);
    }

    private static Future<?> noAnswer(Object message) {
        return Future.failedFuture(
                new ShardingException(FailureCode.TIMED_OUT, "the test gives no answer to " + message));
    }

    @Override
    public EntityType<M> type() {
        return type;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void tell(M message) {
        received.add(accepted(message));
    }

    @Override
    public <R> Future<R> ask(Ask<R> message) {
        return answer(message);
    }

    @Override
    public <R> Future<R> ask(Ask<R> message, Duration timeout) {
        return answer(message);
    }

    @Override
    public <R> Future<R> request(M message, Class<R> answer, Duration timeout) {
        return this.<Object>answer(message).map(answer::cast);
    }

    /** Asks as without an id. If the sender repeats the command, the test gets each attempt. */
    @Override
    public <R> Future<R> ask(Ask<R> command, CommandId commandId, Duration timeout) {
        return answer(command);
    }

    @Override
    public <R> Future<R> request(M command, Class<R> answer, CommandId commandId, Duration timeout) {
        return request(command, answer, timeout);
    }

    /** Passes the command to the test as an ask; the delivery is settled when the test answers. */
    @Override
    public Future<Void> deliver(M command, DeliveryNumber number, Duration timeout) {
        return this.<Object>answer(command).mapEmpty();
    }

    @SuppressWarnings("unchecked")
    private <R> Future<R> answer(Object message) {
        try {
            M mine = accepted(message);
            received.add(mine);
            return (Future<R>) answers.apply(mine).map(answer -> {
                if (answer != null && !AnswerTypes.fits(mine, answer)) {
                    throw AnswerTypes.failure(this.toString(), mine, answer);
                }
                return answer;
            });
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private M accepted(@Nullable Object message) {
        if (!type.messageClass().isInstance(message)) {
            throw new ShardingException(
                    FailureCode.INVALID_MESSAGE, message + " is no message of entity type '" + type.name() + "'");
        }
        return type.messageClass().cast(message);
    }

    @Override
    public Future<EntityLocation> start() {
        return Future.succeededFuture(location());
    }

    /** Always false: messages reach the test at once. */
    @Override
    public boolean writeQueueFull() {
        return false;
    }

    @Override
    public EntityRef<M> drainHandler(Handler<Void> handler) {
        handler.handle(null);
        return this;
    }

    EntityLocation location() {
        return new EntityLocation(type.name(), id, ShardHash.shard(id, SHARDS), NODE, FencingToken.NONE, true);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntityRef<?> that && id.equals(that.id()) && type.equals(that.type());
    }

    @Override
    public int hashCode() {
        return type.hashCode() * 31 + id.hashCode();
    }

    @Override
    public String toString() {
        return "test:" + type.name() + "/" + id;
    }
}
