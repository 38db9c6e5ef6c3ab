package io.shardbus.integration.remembering;

import io.shardbus.contract.RememberedEntitiesStoreContract;
import io.shardbus.spi.RememberedEntitiesStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** In the files of two nodes; a new instance is the whole cluster started again. */
@Tag("slow")
class DurableRememberedEntitiesIT extends RememberedEntitiesStoreContract {
    @TempDir
    private static Path parent;

    private static DurableNodes nodes;

    @BeforeAll
    static void start() {
        nodes = new DurableNodes(parent, 2);
        nodes.start(0, 1);
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    @BeforeEach
    void clear() {
        if (!nodes.last().isRunning("shardbus.durable")) {
            nodes.stop();
            nodes.start(0, 1);
        }
        nodes.last().getCache("shardbus.durable").clear();
    }

    @Override
    protected List<RememberedEntitiesStore> nodes() {
        return nodes.stores();
    }

    @Override
    protected RememberedEntitiesStore newInstance() {
        nodes.stop();
        nodes.start(0, 1);
        return nodes.stores().get(1);
    }
}
