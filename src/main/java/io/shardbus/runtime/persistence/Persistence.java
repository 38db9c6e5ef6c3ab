package io.shardbus.runtime.persistence;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.SharedStore;
import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.PersistenceProvider;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Future;

/** Makes definitions of persistent types; found by the public face. */
public final class Persistence implements PersistenceProvider {
    @Override
    public <M, E, S> EntityDefinition<M> define(EventSourced<M, E, S> type, PersistenceStore store) {
        return EntityDefinition.of(type.type(), id -> SourcedEntity.of(type, store, id))
                .withSharedStore(() -> reached(store))
                .withRestartPolicy(RestartPolicy.resume());
    }

    @Override
    public <M, S> EntityDefinition<M> define(DurableState<M, S> type, PersistenceStore store) {
        return EntityDefinition.of(type.type(), id -> DurableEntity.of(type, store, id))
                .withSharedStore(() -> reached(store))
                .withRestartPolicy(RestartPolicy.resume());
    }

    /** A type whose store cannot be used does not start, and says so. */
    private static Future<SharedStore> reached(PersistenceStore store) {
        return UserCode.call(store::start)
                .map(identity -> new SharedStore(identity.id(), store.name(), identity.highestTerm()))
                .recover(failure -> Future.failedFuture(new ShardingException(
                        failure instanceof StoreException refused && refused.kind() == StoreException.Kind.INCOMPATIBLE
                                ? FailureCode.INCOMPATIBLE
                                : FailureCode.STORE_UNAVAILABLE,
                        store.name() + " cannot be used: " + failure.getMessage())));
    }
}
