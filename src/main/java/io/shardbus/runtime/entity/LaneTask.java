package io.shardbus.runtime.entity;

import io.shardbus.core.routing.Lane;

/** Something to do on a lane. */
@FunctionalInterface
public interface LaneTask {
    /** @param now elapsed milliseconds, one reading for the whole burst */
    void run(Lane lane, long now);
}
