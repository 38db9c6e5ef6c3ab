package io.shardbus.runtime.persistence;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.HostedContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;

/** The logs of event-sourced entities on one lane. */
final class EventLogs extends LaneLogs<EventRow, LoadedEntity> {
    /**
     * Most events of one entity in the first read, and the least where many entities are read together; further events
     * follow in pages.
     */
    private static final int MOST_EVENTS = 256;

    private static final int LEAST_EVENTS = 16;
    /** Events that the entities of one read share. */
    private static final int ANSWER_EVENTS = 2048;

    EventLogs(TypeSpec spec, PersistenceStore store, HostedContext place, Vertx vertx) {
        super(spec, store, place, vertx);
    }

    @Override
    EventRow at(EventRow row, long position) {
        return new EventRow(
                row.id(),
                row.sequence(),
                position,
                row.name(),
                row.version(),
                row.format(),
                row.payload(),
                row.meta(),
                row.tags(),
                row.reminders());
    }

    @Override
    Future<Set<Integer>> write(StoreConnection to, List<LogAppend<EventRow>> appends) {
        return to.append(appends);
    }

    @Override
    Future<List<LoadedEntity>> read(StoreConnection from, StoredType of, List<String> ids) {
        int share = Math.max(LEAST_EVENTS, Math.min(MOST_EVENTS, ANSWER_EVENTS / ids.size()));
        return from.load(of, ids, Math.min(share, pageSize().rows()));
    }
}
