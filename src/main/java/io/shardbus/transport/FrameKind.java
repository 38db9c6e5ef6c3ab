package io.shardbus.transport;

/** The numbers of the items of a frame on the wire. */
final class FrameKind {
    static final int VERSION = 2;
    static final int MESSAGE = 1;
    static final int START = 2;
    static final int ANSWER = 3;
    static final int FAILURE = 4;
    static final int DRAINED = 5;
    static final int WANT_STATES = 6;
    static final int STATE = 7;
    static final int NO_MORE_STATES = 8;
    /** Added to a message: the number of an ask follows. */
    static final int WITH_ASK = 0x40;
    /** Added to a message: the token of its shard follows, which holds for what comes after it in the frame, too. */
    static final int WITH_TOKEN = 0x80;

    static final int BASE = 0x3f;

    private FrameKind() {}
}
