package io.shardbus.integration.membership;

import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;

/** The same with connections from lane to lane. */
class DirectGracefulShutdownIT extends GracefulShutdownIT {
    @Override
    ShardingOptions options() {
        return super.options().setDirect(new DirectOptions().setEnabled(true));
    }
}
