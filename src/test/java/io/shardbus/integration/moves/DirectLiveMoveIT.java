package io.shardbus.integration.moves;

import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;

/** The same with connections from lane to lane. */
class DirectLiveMoveIT extends LiveMoveIT {
    @Override
    ShardingOptions options() {
        return super.options().setDirect(new DirectOptions().setEnabled(true));
    }
}
