package io.shardbus.model;

/** Reason why a message or a request failed. The name crosses the wire; later builds only add constants. */
public enum FailureCode {
    /** The entity's own code failed or refused; see {@code ShardingException.entityCode()}. */
    ENTITY_FAILED(1),
    /** The deadline of the ask passed. The message may still be executed if it was on its way. */
    TIMED_OUT(2),
    /**
     * The message was on its way to a node or an instance that is gone, or the answer to an order was lost: it may have
     * been executed.
     */
    OUTCOME_UNKNOWN(3),
    /** No entity type of this name was started on this node. */
    UNKNOWN_TYPE(4),
    /**
     * As many messages wait in the region's buffer as {@code bufferSize} allows, or the message's home is slow and
     * leaves too few places to others.
     */
    REGION_BUFFER_FULL(5),
    /** As many messages wait for the entity, or are stashed by it, as {@code mailboxSize} allows. */
    MAILBOX_FULL(6),
    /** This node, or the region, is leaving or closed. */
    SHUTTING_DOWN(7),
    /**
     * This node may not run entities now, because it lost its lease, for instance on the smaller side of a partition;
     * or no coordinator answered a query or an order in time.
     */
    NOT_IN_MAJORITY(8),
    /** The payload's bytes do not give a message of the type. */
    PAYLOAD_NOT_DECODABLE(9),
    /** The type's codec cannot turn the message into bytes. */
    PAYLOAD_NOT_ENCODABLE(10),
    /** The encoded message or answer is larger than {@code maxPayloadBytes}. */
    PAYLOAD_TOO_LARGE(11),
    /**
     * The entity id is empty, longer than 1,024 bytes of UTF-8, or has U+0000 or half a surrogate pair; or the type's
     * extractor gives no id, or no valid shard; or the type has no shard of the given number.
     */
    INVALID_ID(12),
    /** The message is null, or of a class that the entity type does not accept. */
    INVALID_MESSAGE(13),
    /** The instance stopped before it handled this message, and its restart policy does not start another. */
    ENTITY_STOPPED(14),
    /**
     * The configuration of this node does not fit the cluster's, or a node runs an earlier build that cannot do this.
     */
    INCOMPATIBLE(15),
    /** No node of this name is in the cluster. */
    UNKNOWN_NODE(16),
    /**
     * Event-bus clients address more entities through this node than {@code busNewEntitiesPerSecond} allows; entities
     * that they addressed here not long ago do not count.
     */
    TOO_MANY_NEW_ENTITIES(17),
    /** The entity's answer is not of the class that the message's {@code Ask} says; the message was executed. */
    INVALID_ANSWER(18),
    /**
     * This node is the last that may coordinate, or the last that holds a seat, while other nodes stay: they would stop
     * when their leases end.
     */
    LAST_SEAT(19),
    /** An event-bus client sent a message that is an {@code InternalMessage}. */
    INTERNAL_MESSAGE(20),
    /** An operator's request does not apply to the type, shard, or node in its present state; the text says why. */
    NOT_APPLICABLE(21),
    /** The store of the persistent entity does not answer, or is full; nothing of the message is stored. */
    STORE_UNAVAILABLE(22),
    /** Another node has become the home of the persistent entity; nothing of the message is stored. */
    SUPERSEDED(23),
    /** The stored state of the persistent entity cannot be read; the message was not executed. */
    STATE_UNREADABLE(24),
    /** No node of the entity's data center can be reached from this one; the message was not sent. */
    DATA_CENTER_UNREACHABLE(25),
    /** The entity no longer remembers commands of this age: this one may have been executed. Not executed now. */
    COMMAND_TOO_OLD(26),
    /** The entity has executed another command with this id; this one was not executed. */
    COMMAND_ID_REUSED(27),
    /**
     * The entity or the reference cannot ensure that the command takes effect once, or too many deliveries wait; the
     * message was not executed.
     */
    DELIVERY_REFUSED(28),
    /**
     * A numbered delivery came before the delivery that precedes it; not executed. Its producer sends both again, in
     * order.
     */
    DELIVERY_GAP(29),
    /** The moment in the command's id is more than an hour in the future; the command was not executed. */
    COMMAND_TOO_EARLY(30),
    /** The type has no shard of this number. */
    UNKNOWN_SHARD(31);

    private final int number;

    FailureCode(int number) {
        this.number = number;
    }

    /** Failure code of a reply to an event-bus client; never changes. */
    public int number() {
        return number;
    }
}
