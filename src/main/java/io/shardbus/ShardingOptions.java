package io.shardbus;

/** Placeholder until the options land. */
public class ShardingOptions {}
