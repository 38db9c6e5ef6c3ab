package accounts;

import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the events of all accounts, those of each in their order, again and again: what it shows is stored. */
final class Feed {
    private static final long PAUSE_MS = 100;
    private static final int PAGE = 500;

    /** Hears of each event and deletion once, on one event loop. */
    interface Reader {
        void event(String id, long sequence, AccountEvent event);

        /** What was stored of an account has ended. */
        void deletion(String id);
    }

    private final Vertx vertx;
    private final PersistenceStore store;
    private final EventCodec<AccountEvent> codec;
    private final Reader reader;
    private final Map<Integer, Long> positions = new HashMap<>();
    private String lastFailure = "";

    Feed(Vertx vertx, PersistenceStore store, EventCodec<AccountEvent> codec, Reader reader) {
        this.vertx = vertx;
        this.store = store;
        this.codec = codec;
        this.reader = reader;
    }

    /** Reads for as long as the process runs. */
    void run() {
        store.start()
                .compose(identity -> store.reader().type(Accounts.TYPE.name()))
                .compose(type -> type == null ? Future.succeededFuture(false) : read(type))
                .onComplete(more -> {
                    if (more.failed() && !lastFailure.equals(more.cause().toString())) {
                        lastFailure = more.cause().toString();
                        System.err.println("persistence: the events are not read: " + lastFailure);
                    }
                    if (more.succeeded() && more.result()) {
                        run();
                    } else {
                        vertx.setTimer(PAUSE_MS, fired -> run());
                    }
                });
    }

    /** Whether there may be more at once. */
    private Future<Boolean> read(int type) {
        EventReader events = store.reader();
        return events.logs(type).compose(logs -> {
            List<EventReader.From> from = new ArrayList<>();
            for (EventReader.LogInfo log : logs) {
                long read = positions.getOrDefault(log.log(), 0L);
                if (log.end() > read) {
                    from.add(new EventReader.From(log.log(), read));
                }
            }
            return from.isEmpty()
                    ? Future.succeededFuture(false)
                    : events.read(from, PAGE).map(found -> {
                        found.values().forEach(rows -> rows.forEach(this::show));
                        return !found.isEmpty();
                    });
        });
    }

    private void show(ReadRow row) {
        if (row.payload() == null) {
            reader.deletion(row.id());
        } else {
            codec.decode(row.name(), row.version(), row.payload())
                    .forEach(event -> reader.event(row.id(), row.sequence(), event));
        }
        positions.put(row.log(), row.position());
    }
}
