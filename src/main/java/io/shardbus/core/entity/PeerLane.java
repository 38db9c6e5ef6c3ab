package io.shardbus.core.entity;

import io.shardbus.NodeId;

/** One lane of the region on one node. */
public record PeerLane(NodeId node, int lane) {}
