package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.control.ClusterPicture;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Asks members of the cluster: what is asked of one that leaves meanwhile, or ends its sharding, is over then, not when
 * the time for its answer is up. Any thread.
 */
final class MemberQueries {
    private final Retries retries;
    private final Supplier<ClusterPicture> picture;
    private final QueryPort node;

    MemberQueries(Retries retries, Supplier<ClusterPicture> picture, QueryPort node) {
        this.retries = retries;
        this.picture = picture;
        this.node = node;
    }

    /** Asks a node, which may be one that is not known here yet. */
    <A extends QueryAnswer> Future<A> ask(NodeId member, Query<A> question) {
        boolean known = runsSharding(member);
        Future<A> answer = node.ask(member, question);
        return isMember(member)
                ? retries.unless(
                        answer,
                        () -> isGone(member, known)
                                ? new ShardingException(
                                        FailureCode.TIMED_OUT, "node " + member + " has left and not answered")
                                : null)
                : answer;
    }

    /**
     * Tells a member, again while no handler hears it there, as after a merge, until its address is known again;
     * succeeds, without an answer, also when it has left, or its sharding has ended.
     *
     * @param patience how long it may be told again, in milliseconds
     * @param isLatest whether no later order is known here: one that is outdated is not told again
     */
    <A extends QueryAnswer> Future<Optional<A>> tell(
            NodeId member, Query<A> order, long patience, BooleanSupplier isLatest) {
        boolean known = runsSharding(member);
        return retries.ask(
                        patience,
                        () -> ask(member, order).map(Optional::of),
                        failure -> isLatest.getAsBoolean() && BusTransport.isUnheard(failure) && !isGone(member, known))
                .recover(failure -> isGone(member, known || BusTransport.isUnheard(failure))
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    private boolean isMember(NodeId node) {
        return picture.get().members().contains(node);
    }

    /** As far as is known here: after a merge its attributes may come a moment later than the member. */
    private boolean runsSharding(NodeId member) {
        return picture.get().attributes().containsKey(member);
    }

    /** @param known whether it ran sharding before, or had time to make that known */
    private boolean isGone(NodeId member, boolean known) {
        return !isMember(member) || known && !runsSharding(member);
    }
}
