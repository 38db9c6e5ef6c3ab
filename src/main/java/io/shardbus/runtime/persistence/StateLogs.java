package io.shardbus.runtime.persistence;

import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.HostedContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The logs of entities with durable states on one lane. */
final class StateLogs extends LaneLogs<StateRow, Optional<StateRow>> {
    StateLogs(TypeSpec spec, PersistenceStore store, HostedContext place, Vertx vertx) {
        super(spec, store, place, vertx);
    }

    @Override
    StateRow at(StateRow row, long position) {
        return new StateRow(
                row.id(),
                row.revision(),
                position,
                row.version(),
                row.format(),
                row.payload(),
                row.meta(),
                row.reminders());
    }

    @Override
    Future<Set<Integer>> write(StoreConnection to, List<LogAppend<StateRow>> appends) {
        return to.write(appends);
    }

    @Override
    Future<List<Optional<StateRow>>> read(StoreConnection from, StoredType of, List<String> ids) {
        return from.loadStates(of, ids)
                .map(found -> ids.stream()
                        .map(id -> Optional.ofNullable(found.get(id)))
                        .toList());
    }
}
