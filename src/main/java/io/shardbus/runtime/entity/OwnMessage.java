package io.shardbus.runtime.entity;

/** A message of an instance's own timers. */
record OwnMessage<M>(M message) {
    /** The class of a message, also of one of the instance's own. */
    static String className(Object payload) {
        Object message = payload instanceof OwnMessage<?> own ? own.message() : payload;
        return message.getClass().getName();
    }
}
