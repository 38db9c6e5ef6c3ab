package io.shardbus.transport;

/**
 * The numbers of the control messages on the wire. A number is never used for anything else; a reader skips those that
 * it does not know.
 */
final class ControlKind {
    static final int REGISTER = 10;
    static final int HEARTBEAT = 11;
    static final int GET_SHARD_HOMES = 12;
    static final int SHARD_HOSTED = 13;
    static final int SHARD_STOPPED = 14;
    static final int HANDOFF_ABORTED = 15;
    static final int LEAVE = 16;
    static final int GOODBYE = 17;

    static final int REGISTERED = 30;
    static final int REFUSED = 31;
    static final int LEASE_GRANTED = 32;
    static final int REGISTER_AGAIN = 33;
    static final int HOST_SHARD = 34;
    static final int SHARD_HOMES = 35;
    static final int BEGIN_HANDOFF = 36;
    static final int ABORT_HANDOFF = 37;
    static final int STOP_RECORDED = 38;
    static final int LEAVE_COMPLETE = 39;

    static final int TERM_ANNOUNCED = 50;
    static final int ABDICATED = 51;
    static final int NODE_LEAVING = 52;
    static final int SEATS_ASKED = 53;
    static final int SEAT_ANSWERED = 54;

    private ControlKind() {}
}
