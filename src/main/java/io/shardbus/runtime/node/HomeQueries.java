package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks the homes of shards. A home that the coordinator names may have left, or given the shard away, when the question
 * comes; then the coordinator is asked once more. Any thread.
 */
final class HomeQueries {
    /** In the answer of a region that does not have the shard. */
    static final String ELSEWHERE = "elsewhere";

    private final Retries repetitions;
    private final MemberQueries members;
    private final Function<JsonObject, Future<JsonObject>> coordinator;
    private final long patience;

    /** What a home said; it may be that it does not have the shard. */
    record Found(NodeId home, FencingToken token, JsonObject answer) {}

    /** The home does not have the shard, though the coordinator knows that it had it. */
    private static final class Moved extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final transient Found found;

        Moved(Found found) {
            super("node " + found.home + " does not have the shard any more", null, false, false);
            this.found = found;
        }
    }

    /** @param patience how long shards are looked for again, in milliseconds */
    HomeQueries(
            Retries repetitions,
            MemberQueries members,
            Function<JsonObject, Future<JsonObject>> coordinator,
            long patience) {
        this.repetitions = repetitions;
        this.members = members;
        this.coordinator = coordinator;
        this.patience = patience;
    }

    /**
     * Asks the home of a shard; empty if it has none. Fails with INVALID_ID for a number that is no shard of the type.
     */
    Future<Optional<Found>> ask(String type, int shard, JsonObject question) {
        question.put("type", type).put("shard", shard);
        return repetitions
                .ask(patience, () -> askOnce(type, shard, question), HomeQueries::mayPass)
                .recover(failure -> failure instanceof Moved last
                        ? Future.succeededFuture(Optional.of(last.found))
                        : Future.failedFuture(failure));
    }

    private Future<Optional<Found>> askOnce(String type, int shard, JsonObject question) {
        JsonObject home = NodeQueries.question("home").put("type", type).put("shard", shard);
        return coordinator.apply(home).compose(row -> {
            int shards = row.getInteger("numberOfShards", 0);
            if (shards > 0 && (shard < 0 || shard >= shards)) {
                throw new ShardingException(
                        FailureCode.INVALID_ID, "no shard " + shard + " of '" + type + "': use 0 to " + (shards - 1));
            }
            return row.containsKey("home") ? askHome(row, question) : Future.succeededFuture(Optional.empty());
        });
    }

    private Future<Optional<Found>> askHome(JsonObject row, JsonObject question) {
        NodeId home = new NodeId(row.getString("home"));
        return members.ask(home, question).map(answer -> {
            Found found = new Found(home, NodeQueries.token(row.getJsonArray("token")), answer);
            boolean isToCome = !row.getBoolean("confirmed", false);
            if (answer.getBoolean(ELSEWHERE, false) && !isToCome) {
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
