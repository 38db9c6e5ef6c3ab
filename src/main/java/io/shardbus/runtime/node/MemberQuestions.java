package io.shardbus.runtime.node;

import io.shardbus.FailureCode;
import io.shardbus.NodeId;
import io.shardbus.ShardingException;
import io.shardbus.runtime.coordinator.ClusterPicture;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Asks members of the cluster: what is asked of one that leaves meanwhile is over when it has left, not when the time for its answer is up. Any thread. */
final class MemberQuestions {
    private final Repetitions repetitions;
    private final Supplier<ClusterPicture> picture;
    private final BiFunction<NodeId, JsonObject, Future<JsonObject>> node;

    MemberQuestions(
            Repetitions repetitions,
            Supplier<ClusterPicture> picture,
            BiFunction<NodeId, JsonObject, Future<JsonObject>> node) {
        this.repetitions = repetitions;
        this.picture = picture;
        this.node = node;
    }

    /** Asks a node, which may be one that is not known here yet. */
    Future<JsonObject> ask(NodeId member, JsonObject question) {
        Future<JsonObject> answer = node.apply(member, question);
        return isMember(member)
                ? repetitions.unless(
                        answer,
                        () -> isMember(member)
                                ? null
                                : new ShardingException(
                                        FailureCode.TIMED_OUT, "node " + member + " has left and not answered"))
                : answer;
    }

    /**
     * Tells a member, again while nobody hears it there; succeeds, too, when it has left, or its sharding has ended.
     *
     * @param patience how long it may be told again, in milliseconds
     */
    Future<Void> tell(NodeId member, JsonObject order, long patience) {
        return repetitions
                .<Void>ask(patience, () -> ask(member, order).mapEmpty(), failure -> isUnheard(member, failure))
                .recover(failure -> isGone(member, failure) ? Future.succeededFuture() : Future.failedFuture(failure));
    }

    private boolean isMember(NodeId node) {
        return picture.get().members().contains(node);
    }

    /** Nobody was there who could have heard, as after a merge, until its address is known again. */
    private boolean isUnheard(NodeId member, Throwable failure) {
        return BusTransport.isUnheard(failure) && !isGone(member, failure);
    }

    /** A member without attributes runs no sharding any more, or not yet. */
    private boolean isGone(NodeId member, Throwable failure) {
        return !isMember(member)
                || BusTransport.isUnheard(failure)
                        && !picture.get().attributes().containsKey(member);
    }
}
