package io.shardbus.runtime.persistence;

import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.HostedContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        return from.loadStates(of, ids).map(found -> upToEnd(ids, found));
    }

    /** The states up to the one that fills the answer. */
    private static List<Optional<StateRow>> upToEnd(List<String> ids, Map<String, StateRow> found) {
        ReadBytes answer = new ReadBytes();
        List<Optional<StateRow>> read = new ArrayList<>();
        for (String id : ids) {
            if (answer.isFull()) {
                break;
            }
            StateRow row = found.get(id);
            if (row != null) {
                answer.add(row.payload(), row.meta());
            }
            read.add(Optional.ofNullable(row));
        }
        return read;
    }
}
