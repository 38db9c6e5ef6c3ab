package io.shardbus.integration;

import io.shardbus.ShardingOptions;
import io.shardbus.spi.DirectOptions;

/** The same with connections from lane to lane. */
class DirectLiveMoveIT extends LiveMoveIT {
    @Override
    ShardingOptions options() {
        return super.options().setDirect(new DirectOptions().setEnabled(true));
    }
}
