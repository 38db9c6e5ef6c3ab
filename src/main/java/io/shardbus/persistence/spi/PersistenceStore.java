package io.shardbus.persistence.spi;

import io.vertx.core.Context;
import io.vertx.core.Future;

/**
 * A store of events, snapshots and durable states. One instance may serve several types and several nodes of one JVM.
 * All methods may be called on any thread, an event loop included, and do not block. Every future ends within a bounded
 * time; it fails with a {@link StoreException} and with nothing else.
 */
public interface PersistenceStore {
    /**
     * Makes the store usable and says which one it is; other calls come after its success. Each node and type calls it:
     * repeated calls give the same identity and cost nothing. After a failure it may be called again.
     */
    Future<StoreIdentity> start();

    /**
     * The number of a type in this store. The first call of all makes it. A call with another number of shards or
     * another addressing than the newest layout has makes the next layout, whose logs are new; entities keep their
     * rows.
     *
     * @return fails with {@link StoreException.Kind#INCOMPATIBLE} when the type is stored with the other model
     */
    Future<StoredType> register(TypeSpec type);

    /**
     * A connection for the logs of one lane. It connects with its first call, and again after it was lost.
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

    /** Limits of what is under way to this store, for each lane and type. Asked once when a type starts. */
    default StoreLimits limits() {
        return StoreLimits.DEFAULT;
    }

    /** A name for logs and errors, without passwords. */
    String name();

    /** Frees what the store holds in this process; what is stored stays. Later calls fail. Harmless when repeated. */
    Future<Void> close();
}
