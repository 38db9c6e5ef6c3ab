package io.shardbus.persistence;

import io.shardbus.EntityContext;
import io.shardbus.model.CommandId;
import java.util.Optional;

/** What an instance of a persistent entity knows of itself. */
public interface PersistenceContext<M> extends EntityContext<M> {
    /**
     * The number of the entity's last stored event, 0 before the first; the revision of a durable state. It does not
     * fall: a deletion has a number, too.
     */
    long sequenceNumber();

    /** What the sender calls the command that is handled, if it gave it an id. */
    Optional<CommandId> commandId();
}
