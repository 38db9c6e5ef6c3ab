package io.shardbus.core.protocol;

import io.shardbus.model.NodeId;

/** One lane of the region on one node. */
public record PeerLane(NodeId node, int lane) {}
