package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Connections between the lanes of all nodes that answered and those of other nodes.
 *
 * @param nodes the report of each node about itself
 * @param silent the members that did not answer
 */
public record ConnectionReport(Map<NodeId, OfNode> nodes, Set<NodeId> silent) {
    public ConnectionReport {
        nodes = Map.copyOf(nodes);
        silent = Set.copyOf(silent);
    }

    /**
     * One end of all connections of a node.
     *
     * @param tls whether its connections show and take certificates
     * @param sealed whether it seals frames with the cluster's secret
     * @param connections one for each type and peer, by type and peer
     */
    public record OfNode(boolean tls, boolean sealed, List<Connection> connections) {
        public OfNode {
            connections = List.copyOf(connections);
        }
    }

    /**
     * Connection of the lanes of a type on a node with those of a peer. All counts begin with the region of the type on
     * the node; counts of a peer that left long ago are dropped.
     *
     * @param heardMillis how long ago the last frame of the peer came, in milliseconds; -1 if none has come
     * @param roundTripMillis from a frame to its acknowledgement, at the last frame that was measured, in milliseconds;
     *     that of the slowest lane, -1 if it is not known. Includes up to 5 ms for which the peer may wait for a frame
     *     that carries the acknowledgement
     */
    public record Connection(
            String type,
            NodeId peer,
            Links links,
            Flow sent,
            Flow received,
            Outbox outbox,
            long heardMillis,
            long roundTripMillis) {}

    /**
     * @param lanes number of pairs of a lane of the node and one of the peer by which it has sent messages or answers;
     *     pairs that only greet and acknowledge need no connection of their own, and are not counted
     * @param direct how many of them have a connection of their own; the others send over the event bus
     */
    public record Links(int lanes, int direct) {
        /** With one more pair of lanes. */
        public Links plus(boolean carries, boolean isDirect) {
            return carries || isDirect ? new Links(lanes + 1, direct + (isDirect ? 1 : 0)) : this;
        }
    }

    /**
     * @param frames how many, including retransmitted frames and mere acknowledgements
     * @param bytes of these frames, without seals and what connections add
     */
    public record Flow(long frames, long bytes) {
        public Flow plus(Flow other) {
            return new Flow(frames + other.frames, bytes + other.bytes);
        }
    }

    /**
     * Items on their way to the peer.
     *
     * @param queued items that wait for a place in a frame
     * @param unacknowledged items in frames that the peer has not acknowledged
     * @param windowFull how often items had to wait because too many frames were not acknowledged
     * @param repeated frames that were sent again, as no acknowledgement came
     */
    public record Outbox(int queued, int unacknowledged, long windowFull, long repeated) {
        public Outbox plus(Outbox other) {
            return new Outbox(
                    queued + other.queued,
                    unacknowledged + other.unacknowledged,
                    windowFull + other.windowFull,
                    repeated + other.repeated);
        }
    }
}
