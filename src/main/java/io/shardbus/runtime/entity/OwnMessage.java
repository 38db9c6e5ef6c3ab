package io.shardbus.runtime.entity;

/** A message of an instance's own timers. */
record OwnMessage<M>(M message) {
    /** The class name of a payload; of an own message, that of the message in it. */
    static String className(Object payload) {
        Object message = payload instanceof OwnMessage<?> own ? own.message() : payload;
        return message.getClass().getName();
    }
}
