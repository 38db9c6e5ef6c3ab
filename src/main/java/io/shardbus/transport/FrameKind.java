package io.shardbus.transport;

/**
 * The numbers of the items of a frame on the wire. A number is never used for anything else. The first three have a
 * layout of their own, for speed; all others have numbered fields, so that a reader can skip those that it does not
 * know.
 */
final class FrameKind {
    static final int VERSION = 3;
    static final int MESSAGE = 1;
    static final int START = 2;
    static final int ANSWER = 3;
    static final int FAILURE = 4;
    static final int DRAINED = 5;
    static final int WANT_STATES = 6;
    static final int STATE = 7;

    /** Headers follow: their length in a varint, and fields. */
    static final int WITH_HEADERS = 0x20;
    /** The number of an ask follows, whose sender waits for an answer. */
    static final int WITH_ASK = 0x40;
    /** In a message or start: the token of its shard follows, which holds for what comes after it in the frame, too. */
    static final int WITH_TOKEN = 0x80;
    /** In all other items: the number of an ask of the receiver's follows, which ends with it. */
    static final int ENDS_ASK = 0x80;

    static final int BASE = 0x1f;

    private FrameKind() {}
}
