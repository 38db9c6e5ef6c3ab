package io.shardbus.transport;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;

/** A message of the control plane with its address. */
public sealed interface ControlMessage {
    NodeId from();

    /** From a region to the coordinator of its type. */
    record ForCoordinator(NodeId from, TermId term, String type, ToCoordinator body) implements ControlMessage {}

    /** From the coordinator to a region. */
    record ForRegion(NodeId from, TermId term, String type, ToRegion body) implements ControlMessage {}

    /** From node to node. */
    record ForNode(NodeId from, NodeMessage body) implements ControlMessage {}

    /** Of a kind that this build does not know: a later build's. Never sent. */
    record Unknown(NodeId from, int kind) implements ControlMessage {}
}
