package io.shardbus.persistence.spi;

import io.vertx.core.Context;
import io.vertx.core.Future;

/**
 * A store of events, snapshots and durable states. One instance may serve several types and several nodes of one JVM.
 * All methods may be called on any thread, an event loop included, and do not block. Every future completes within a
 * bounded time; all failures are {@link StoreException}s.
 */
public interface PersistenceStore {
    /**
     * Makes the store usable and returns its identity; other calls come only after its success. Each node and type
     * calls it, and again whenever a coordinator begins: a repeated call returns the same id and the highest term of
     * that moment, and creates nothing. After a failure it may be called again.
     */
    Future<StoreIdentity> start();

    /**
     * The number of a type in this store; the first call assigns it. A call whose number of shards or addressing
     * differs from the newest layout makes the next layout, which has new logs; stored entities keep their rows.
     *
     * @return fails with {@link StoreException.Kind#INCOMPATIBLE} if the type is stored with the other {@link
     *     TypeSpec.Model}
     */
    Future<StoredType> register(TypeSpec type);

    /**
     * A connection for the logs of one lane. It connects with its first call, and again after a loss.
     *
     * @param lane the event loop on which all futures of the connection complete
     */
    StoreConnection connect(Context lane);

    /** Reads logs for projections. */
    EventReader reader();

    /** The store of the positions of projections. */
    OffsetStore offsets();

    /** The reminders that entities have set. */
    ReminderStore reminders();

    /**
     * Limits of the calls that may be under way to this store, for each lane of each type. Read once when a type
     * starts.
     */
    default StoreLimits limits() {
        return StoreLimits.DEFAULT;
    }

    /** A name for logs and errors, without passwords. */
    String name();

    /** Frees the resources of the store in this process; stored data stays. Later calls fail. May be repeated. */
    Future<Void> close();
}
