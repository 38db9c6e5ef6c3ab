package io.shardbus;

/**
 * A message that is answered.
 *
 * @param <R> the class of the answer
 */
public interface Ask<R> {}
