package io.shardbus.integration.remembering;

import io.shardbus.integration.Await;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.FencingToken;
import io.shardbus.options.ClusterOptions;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.infinispan.manager.DefaultCacheManager;

/** A process that stores ids for as long as it lives, and says so after each batch that is stored. */
public final class RememberedWriter {
    static final String TYPE = "counter";
    static final int SHARDS = 4;
    static final int BATCH = 20;

    /** Ids of a shard that stay; older ones are removed in the write that adds new ones. */
    static final int KEPT_BATCHES = 200;

    private RememberedWriter() {}

    /** @param args directory, port, which life of the test it is */
    public static void main(String[] args) {
        var life = Integer.parseInt(args[2]);
        var container = (DefaultCacheManager) ShardbusClusterManager.create(new ClusterOptions()
                        .setClusterName("writer-" + UUID.randomUUID())
                        .setBindPort(Integer.parseInt(args[1])))
                .container();
        container.start();
        var store = InfinispanRememberedEntities.durable(
                container, Path.of(args[0]), InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        Await.result(store.start());
        for (int shard = 0; shard < SHARDS; shard++) {
            var known = Await.result(store.open(TYPE, shard, token(life)));
            System.out.println("opened " + shard + " " + known.size());
            write(store, life, shard, 0, new ArrayDeque<>());
        }
    }

    static FencingToken token(int life) {
        return new FencingToken(life, 1, 1);
    }

    private static void write(
            RememberedEntitiesStore store, int life, int shard, int batch, ArrayDeque<String> written) {
        var name = life + "-" + shard + "-" + batch;
        var removed = written.size() < KEPT_BATCHES ? Set.<String>of() : ids(written.poll());
        store.update(TYPE, shard, token(life), ids(name), removed).onComplete(done -> {
            if (done.failed()) {
                System.out.println("failed " + done.cause());
                return;
            }
            // one write, so that a line is whole or not there
            System.out.print("stored " + name + "\n");
            System.out.flush();
            written.add(name);
            write(store, life, shard, batch + 1, written);
        });
    }

    static Set<String> ids(String batch) {
        var ids = new HashSet<String>();
        for (int i = 0; i < BATCH; i++) {
            ids.add(batch + "-" + i);
        }
        return ids;
    }
}
