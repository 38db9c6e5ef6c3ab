package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.EntityOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.IntFunction;

/** Asks the homes of single entities what they do, and gives orders about them. Any thread. */
final class EntityQueries {
    private final RegionStarter regions;
    private final HomeQueries homes;

    EntityQueries(RegionStarter regions, HomeQueries homes) {
        this.regions = regions;
        this.homes = homes;
    }

    /** Empty where the entity's shard has no home. */
    Future<Optional<EntityReport>> entity(String type, String entityId) {
        return ask(
                type,
                entityId,
                shard -> homes.ask(new Query.EntityOf(type, shard, entityId))
                        .map(found -> found.map(home -> report(type, entityId, shard, home))));
    }

    private static EntityReport report(
            String type, String entityId, int shard, HomeQueries.Found<QueryAnswer.Found> home) {
        EntityReport.Instance instance = home.answer().instance();
        boolean live = instance != null && instance.phase() != EntityReport.Phase.PAUSED;
        return new EntityReport(
                new EntityLocation(type, entityId, shard, home.home(), home.token(), live),
                home.answer().remembered(),
                instance);
    }

    Future<JsonObject> inspect(String type, String entityId) {
        return ask(type, entityId, shard -> homes.ask(new Query.StateOf(type, shard, entityId)))
                .map(found -> {
                    QueryAnswer.State state = found.map(HomeQueries.Found::answer)
                            .filter(answer -> !answer.elsewhere())
                            .orElseThrow(() -> homeless(type, entityId));
                    String json = state.json();
                    if (json == null) {
                        FailureCode code = state.failure();
                        throw new ShardingException(
                                code == null ? FailureCode.INCOMPATIBLE : code, about(type, entityId) + state.text());
                    }
                    return new JsonObject(json);
                });
    }

    Future<Void> treat(String type, String entityId, EntityOrder order) {
        return ask(type, entityId, shard -> homes.ask(new Query.Treat(type, shard, entityId, order)))
                .map(found -> {
                    String refusal = found.map(HomeQueries.Found::answer)
                            .filter(answer -> !answer.elsewhere())
                            .orElseThrow(() -> homeless(type, entityId))
                            .refusal();
                    if (!refusal.isEmpty()) {
                        throw new ShardingException(FailureCode.NOT_APPLICABLE, about(type, entityId) + refusal);
                    }
                    return null;
                });
    }

    /** Starts the entity first where its shard has no home. */
    Future<Void> erase(String type, String entityId) {
        return eraseAtHome(type, entityId)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(found)
                        : regions.handle(type)
                                .entityRef(entityId)
                                .start()
                                .compose(started -> eraseAtHome(type, entityId)))
                .map(found -> {
                    QueryAnswer.Erased erased = found.orElseThrow(() -> homeless(type, entityId));
                    FailureCode failure = erased.failure();
                    if (failure != null) {
                        throw new ShardingException(failure, about(type, entityId) + erased.text());
                    }
                    return null;
                });
    }

    private Future<Optional<QueryAnswer.Erased>> eraseAtHome(String type, String entityId) {
        return ask(type, entityId, shard -> homes.ask(new Query.Erase(type, shard, entityId)))
                .map(found -> found.map(HomeQueries.Found::answer).filter(answer -> !answer.elsewhere()));
    }

    private static ShardingException homeless(String type, String entityId) {
        return new ShardingException(
                FailureCode.NOT_APPLICABLE, about(type, entityId) + "its shard has no home at this moment");
    }

    private static String about(String type, String entityId) {
        return "entity " + type + "/" + entityId + ": ";
    }

    private <T> Future<T> ask(String type, String entityId, IntFunction<Future<T>> question) {
        int shard;
        try {
            shard = regions.handle(type).shard(entityId);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
        return question.apply(shard);
    }
}
