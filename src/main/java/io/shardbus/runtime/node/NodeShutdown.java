package io.shardbus.runtime.node;

import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's way out: shards to other homes, regions ended, the term given up, goodbye to all. Once. */
final class NodeShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(NodeShutdown.class);

    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final NodeQueries queries;
    private final AtomicReference<@Nullable Future<Void>> closing = new AtomicReference<>();
    private final Promise<Void> over = Promise.promise();

    NodeShutdown(NodeAssembly assembly, RegionStarter regions, NodeQueries queries) {
        this.assembly = assembly;
        this.regions = regions;
        this.queries = queries;
    }

    /** Completes when a close has ended, well or not. */
    Future<Void> over() {
        return over.future();
    }

    Future<Void> close() {
        Promise<Void> mine = Promise.promise();
        if (closing.compareAndSet(null, mine.future())) {
            queries.close();
            regions.close();
            closeOnce().onComplete(mine).onComplete(done -> over.complete());
        }
        Future<Void> present = closing.get();
        return present == null ? mine.future() : present;
    }

    private Future<Void> closeOnce() {
        return assembly.started()
                .recover(failure -> Future.succeededFuture())
                .compose(done -> Future.join(regions.all().stream()
                        .map(RegionControl::handle)
                        .map(NodeShutdown::leave)
                        .toList()))
                .eventually(regions::ended)
                .recover(failure -> Future.succeededFuture())
                .compose(done -> goodbye())
                .eventually(assembly::end);
    }

    private static Future<Void> leave(RegionHandle<?> region) {
        return region.leave()
                .onFailure(failure -> LOG.warn(
                        "type={}: the region did not end in good order",
                        region.type().name(),
                        failure));
    }

    private Future<Void> goodbye() {
        queries.end();
        return assembly.onControl(CoordinatorVerticle::sayGoodbye).recover(failure -> Future.succeededFuture());
    }
}
