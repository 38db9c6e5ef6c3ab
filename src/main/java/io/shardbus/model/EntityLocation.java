package io.shardbus.model;

/**
 * Location of an entity.
 *
 * @param live whether an instance was live when its home was asked
 */
public record EntityLocation(String type, String id, int shard, NodeId node, FencingToken token, boolean live) {}
