package io.shardbus.integration.remembering;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.manager.EmbeddedCacheManager;

/** Nodes that keep remembered entities in directories, started and stopped as a test likes. One cluster at a time. */
final class DurableNodes implements AutoCloseable {
    private final List<Path> directories;
    private final List<RememberedEntitiesStore> stores = new ArrayList<>();
    private BareCluster cluster;
    private EmbeddedCacheManager last;
    private int lastNode;

    DurableNodes(Path parent, int nodes) {
        var all = new ArrayList<Path>();
        for (int i = 0; i < nodes; i++) {
            all.add(parent.resolve("node-" + i));
        }
        directories = List.copyOf(all);
    }

    List<RememberedEntitiesStore> stores() {
        return stores;
    }

    EmbeddedCacheManager last() {
        return last;
    }

    /** Starts the nodes of these directories, in this order. */
    void start(int... nodes) {
        if (cluster == null) {
            cluster = new BareCluster(4);
        }
        for (int node : nodes) {
            last = cluster.startContainer();
            lastNode = node;
            startStore();
        }
    }

    /** Closes the store of the node that started last, and starts another on the same container and directory. */
    void reopen() {
        Await.result(stores.remove(stores.size() - 1).close());
        startStore();
    }

    private void startStore() {
        var store = InfinispanRememberedEntities.durable(
                last, directories.get(lastNode), InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        stores.add(store);
        Await.result(store.start());
    }

    /** Stops all, the last first. */
    void stop() {
        while (!stores.isEmpty()) {
            Await.result(stores.remove(stores.size() - 1).close());
        }
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    @Override
    public void close() {
        stop();
    }
}
