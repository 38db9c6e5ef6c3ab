package io.shardbus;

/** Placeholder until the definition lands. */
public final class EntityDefinition<M> {}
