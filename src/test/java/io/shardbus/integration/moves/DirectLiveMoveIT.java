package io.shardbus.integration.moves;

import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import org.junit.jupiter.api.Tag;

/** The same with connections from lane to lane. */
@Tag("slow")
class DirectLiveMoveIT extends LiveMoveIT {
    @Override
    ShardingOptions options() {
        return super.options().setDirect(new DirectOptions().setEnabled(true));
    }
}
