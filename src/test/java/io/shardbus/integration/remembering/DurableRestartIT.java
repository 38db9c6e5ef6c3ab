package io.shardbus.integration.remembering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two nodes with directories know after all were stopped, when one of them was away for a while. */
class DurableRestartIT {
    private static final String TYPE = "counter";

    @TempDir
    private Path parent;

    private DurableNodes nodes;

    @BeforeEach
    void prepare() {
        nodes = new DurableNodes(parent, 2);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void theNewerDirectoryCountsWhenItsNodeStartsFirst() {
        letNodeZeroGrowOld();
        nodes.start(1, 0);
        assertNewest();
    }

    @Test
    void theNewerDirectoryCountsWhenItsNodeStartsLast() {
        letNodeZeroGrowOld();
        nodes.start(0, 1);
        assertNewest();
    }

    @Tag("long-fault")
    @Test
    void theNewerDirectoryCountsInLaterStartsToo() {
        letNodeZeroGrowOld();
        nodes.start(0, 1);
        nodes.stop();
        nodes.start(0);
        assertNewest();
    }

    /** Node 0 is there first, alone, and is used: what node 1 brings is not the successor of what became of it. */
    @Tag("long-fault")
    @Test
    void whatTwoSidesWroteAloneIsPutTogether() {
        letNodeZeroGrowOld();
        nodes.start(0);
        assertEquals(Set.of("a", "b"), open(10));
        write(10, Set.of("only 0"), Set.of("a"));
        nodes.start(1);
        var both = open(11);
        assertEquals(Set.of("only 0"), intersection(both, Set.of("only 0")));
        assertEquals(Set.of("c", "d"), intersection(both, Set.of("c", "d")));
        nodes.stop();
        nodes.start(0);
        assertEquals(both, open(12));
    }

    @Test
    void whatWasRemovedStaysAwayWhenANodeWithTheOldDirectoryJoins() {
        nodes.start(0, 1);
        open(1);
        write(1, Set.of("a", "b"), Set.of());
        Await.result(nodes.stores().remove(1).close());
        open(2);
        write(2, Set.of("c"), Set.of("a"));
        nodes.start(1);
        assertEquals(Set.of("b", "c"), open(3));
    }

    @Test
    void aStoreStartsAgainOnTheSameContainer() {
        nodes.start(0, 1);
        open(1);
        write(1, Set.of("a"), Set.of());
        nodes.reopen();
        assertEquals(Set.of("a"), open(2));
        write(2, Set.of("b"), Set.of());
        nodes.stop();
        nodes.start(1);
        assertEquals(Set.of("a", "b"), open(3));
    }

    @Test
    void aDirectoryBelongsToOneNode() {
        nodes.start(0);
        var second = InfinispanRememberedEntities.durable(
                nodes.last(), parent.resolve("node-0"), InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        var refusal = second.start().transform(done -> Future.succeededFuture(done.cause()));
        assertTrue(Await.result(refusal).getMessage().contains("is in use"));
        Await.result(second.close());
        assertEquals(Set.of(), open(1));
    }

    /** Node 1 goes on alone: removes a and writes c and d. Both are stopped in the end. */
    private void letNodeZeroGrowOld() {
        nodes.start(0, 1);
        open(1);
        write(1, Set.of("a", "b"), Set.of());
        nodes.stop();
        nodes.start(1);
        assertEquals(Set.of("a", "b"), open(2));
        write(2, Set.of("c"), Set.of("a"));
        write(2, Set.of("d"), Set.of());
        nodes.stop();
    }

    private void assertNewest() {
        assertEquals(Set.of("b", "c", "d"), open(20));
    }

    private Set<String> open(long sequence) {
        return Await.result(last().open(TYPE, 1, new FencingToken(1, 1, sequence)));
    }

    private void write(long sequence, Set<String> added, Set<String> removed) {
        Await.result(last().update(TYPE, 1, new FencingToken(1, 1, sequence), added, removed));
    }

    private RememberedEntitiesStore last() {
        return nodes.stores().get(nodes.stores().size() - 1);
    }

    private static Set<String> intersection(Set<String> some, Set<String> others) {
        var both = new TreeSet<>(some);
        both.retainAll(others);
        return both;
    }
}
