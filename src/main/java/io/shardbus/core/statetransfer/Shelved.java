package io.shardbus.core.statetransfer;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.List;

/** The states of a shard that has stopped here, or is stopping, until its next home fetches them. */
final class Shelved {
    final FencingToken token;
    final List<EntityState> states = new ArrayList<>();
    /** Never while the shard stops. */
    long until = Long.MAX_VALUE;

    Shelved(FencingToken token) {
        this.token = token;
    }
}
