package io.shardbus.integration.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.shardbus.store.infinispan.InfinispanStateStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Records on the caches of three containers in one JVM, over real connections. */
class InfinispanRecordsIT {
    private static final BareCluster CLUSTER = new BareCluster(3);
    private static final List<InfinispanRecords> RECORDS = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            var container = CLUSTER.startContainer();
            Await.result(new InfinispanStateStore(container).start());
            RECORDS.add(new InfinispanRecords(container));
        }
    }

    @AfterAll
    static void stop() {
        RECORDS.forEach(InfinispanRecords::close);
        CLUSTER.close();
    }

    @Test
    void recordsAreAgreedOn() {
        var first = RECORDS.get(0);
        var last = RECORDS.get(2);
        assertEquals(true, Await.result(first.replace("k", null, null)));
        assertEquals(true, Await.result(first.replace("k", null, "1")));
        assertEquals(false, Await.result(last.replace("k", null, "2")));
        assertEquals(false, Await.result(last.replace("k", null, null)));
        assertEquals("1", Await.result(last.read("k")));
        assertEquals(false, Await.result(last.replace("k", "2", "3")));
        assertEquals(true, Await.result(last.replace("k", "1", "2")));
        assertEquals(false, Await.result(first.replace("k", "1", null)));
        assertEquals(true, Await.result(first.replace("k", "2", null)));
        assertEquals(null, Await.result(last.read("k")));
        String large = "x".repeat(1_000_000);
        assertEquals(true, Await.result(first.replace("large", null, large)));
        assertEquals(large, Await.result(last.read("large")));
    }
}
