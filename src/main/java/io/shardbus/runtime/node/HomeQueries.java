package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Asks the homes of shards. A home that the coordinator names may have left, or given the shard away, when the question
 * comes; then the coordinator is asked once more. Any thread.
 */
final class HomeQueries {
    private final Retries retries;
    private final MemberQueries members;
    private final BusTransport.Answerer coordinator;
    private final long patience;

    /** Answer of a home; it may be that it does not have the shard. */
    record Found<A>(NodeId home, FencingToken token, A answer) {}

    /** The home does not have the shard, though the coordinator knows that it had it. */
    private static final class Moved extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final transient Found<? extends QueryAnswer.FromHome> found;

        Moved(Found<? extends QueryAnswer.FromHome> found) {
            super("node " + found.home + " does not have the shard any more", null, false, false);
            this.found = found;
        }
    }

    /** @param patience how long shards are looked for again, in milliseconds */
    HomeQueries(Retries retries, MemberQueries members, BusTransport.Answerer coordinator, long patience) {
        this.retries = retries;
        this.members = members;
        this.coordinator = coordinator;
        this.patience = patience;
    }

    /**
     * Asks the home of a shard; empty if the shard has none. Fails with INVALID_ID for a number that is no shard of the
     * type.
     */
    <A extends QueryAnswer.FromHome> Future<Optional<Found<A>>> ask(Query.OfHome<A> query) {
        return retries.ask(patience, () -> askOnce(query), HomeQueries::mayPass)
                .recover(failure -> failure instanceof Moved last
                        ? Future.succeededFuture(Optional.of(ofLast(last)))
                        : Future.failedFuture(failure));
    }

    @SuppressWarnings("unchecked") // the failure is of this very query
    private static <A extends QueryAnswer.FromHome> Found<A> ofLast(Moved last) {
        return (Found<A>) last.found;
    }

    private <A extends QueryAnswer.FromHome> Future<Optional<Found<A>>> askOnce(Query.OfHome<A> query) {
        return coordinator.answer(new Query.HomeOf(query.type(), query.shard())).compose(home -> {
            int shards = home.numberOfShards();
            if (shards > 0 && (query.shard() < 0 || query.shard() >= shards)) {
                throw new ShardingException(
                        FailureCode.INVALID_ID,
                        "no shard " + query.shard() + " of '" + query.type() + "': use 0 to " + (shards - 1));
            }
            return home.shard().isPresent()
                    ? askHome(home.shard().get(), query)
                    : Future.succeededFuture(Optional.empty());
        });
    }

    private <A extends QueryAnswer.FromHome> Future<Optional<Found<A>>> askHome(
            QueryAnswer.Shard row, Query.OfHome<A> query) {
        return members.ask(row.home(), query).map(answer -> {
            Found<A> found = new Found<>(row.home(), row.token(), answer);
            if (answer.elsewhere() && row.confirmed()) {
                throw new Moved(found);
            }
            return Optional.of(found);
        });
    }

    /** Whether the home has changed perhaps: it has not answered, or not got the type any more. */
    private static boolean mayPass(Throwable failure) {
        return !(failure instanceof ShardingException known) || known.code() == FailureCode.TIMED_OUT;
    }
}
