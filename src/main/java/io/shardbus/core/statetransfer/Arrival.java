package io.shardbus.core.statetransfer;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.List;

/** The states of a shard that is about to be at home here. */
final class Arrival {
    final FencingToken token;
    final ShardHome former;
    final List<EntityState> states = new ArrayList<>();
    /** While it waits: until when; then until when the shard must be here. */
    long until;

    boolean complete;
    private int missing = -1;

    Arrival(FencingToken token, ShardHome former, long until) {
        this.token = token;
        this.former = former;
        this.until = until;
    }

    /** One more item has come, and so many follow; how many have not come that were before it. */
    int follow(int remaining) {
        int gap = missing < 0 ? 0 : Math.max(0, missing - 1 - remaining);
        missing = remaining;
        return gap;
    }

    /** The number of states that are known to be missing; one if the number is not known. */
    int missing() {
        return missing < 0 ? 1 : Math.max(0, missing - 1);
    }
}
