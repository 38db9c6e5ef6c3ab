package io.shardbus.core.control;

import io.shardbus.core.time.ElapsedTime;

/**
 * Moment of an event, by the clocks of its node.
 *
 * @param now elapsed milliseconds
 * @param wall the wall clock's milliseconds
 * @param time how much of the elapsed time is doubtful
 */
public record Moment(long now, long wall, ElapsedTime time) {}
