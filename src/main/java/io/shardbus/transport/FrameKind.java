package io.shardbus.transport;

/** The numbers of the items of a frame on the wire. */
final class FrameKind {
    static final int VERSION = 1;
    static final int MESSAGE = 1;
    static final int START = 2;
    static final int ANSWER = 3;
    static final int FAILURE = 4;
    static final int DRAINED = 5;
    static final int WANT_STATES = 6;
    static final int STATE = 7;
    static final int NO_MORE_STATES = 8;

    private FrameKind() {}
}
