package io.shardbus;

/** Why a message or a request was not answered by its entity. The name crosses the wire; constants are only ever added. */
public enum FailureCode {
    /** The entity's own code failed or refused; see {@link ShardingException#entityCode()}. */
    ENTITY_FAILED,
    /** The deadline of the ask passed. The message may still be executed if it was on its way. */
    TIMED_OUT,
    /** The message was on its way to a node or an instance that is gone: it ran or it did not, nobody knows. */
    OUTCOME_UNKNOWN,
    /** No entity type of this name was started on this node. */
    UNKNOWN_TYPE,
    /** The region holds as many waiting messages as it may. */
    REGION_BUFFER_FULL,
    /** The entity has as many waiting messages as it may. */
    MAILBOX_FULL,
    /** This node, or the region, is leaving or closed. */
    SHUTTING_DOWN,
    /** This node may not run entities now: it lost its lease, for instance on the smaller side of a partition. */
    NOT_IN_MAJORITY,
    /** The payload's bytes do not give a message of the type. */
    PAYLOAD_NOT_DECODABLE,
    /** The type's codec cannot turn the message into bytes. */
    PAYLOAD_NOT_ENCODABLE,
    /** The encoded message is larger than a frame may be. */
    PAYLOAD_TOO_LARGE,
    /** The entity id is empty, or longer than 1,024 bytes of UTF-8. */
    INVALID_ID,
    /** The message is null, or of a class that the entity type does not accept. */
    INVALID_MESSAGE,
    /** The instance stopped before it came to this message, and its restart policy does not start another. */
    ENTITY_STOPPED,
    /** The configuration of this node does not fit the cluster's. */
    INCOMPATIBLE
}
