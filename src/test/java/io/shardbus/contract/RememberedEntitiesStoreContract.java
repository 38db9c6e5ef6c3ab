package io.shardbus.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.spi.RememberedEntitiesStore.StaleTokenException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every store of remembered entities keeps. An implementation's test gives the stores of nodes that share one
 * content.
 */
public abstract class RememberedEntitiesStoreContract {
    private static final String TYPE = "counter";
    private static final int MANY = 100_000;
    private static final int BATCH = 1_000;

    /** Started stores, one per node, of one cluster that remembers nothing yet. */
    protected abstract List<RememberedEntitiesStore> nodes();

    /** A started store that was not there when the content was written. */
    protected abstract RememberedEntitiesStore newInstance();

    @Test
    @DisplayName("REM-15 what is written in steps is listed by a new instance, also half a second later")
    void listsWhatWasWrittenInSteps() {
        assertEquals(Set.of(), await(first().open(TYPE, 1, token(1))));
        update(first(), 1, token(1), Set.of("1", "2", "3"), Set.of());
        update(first(), 1, token(1), Set.of("4", "5", "6"), Set.of("2", "3"));
        update(first(), 1, token(1), Set.of(), Set.of("6"));
        update(first(), 1, token(1), Set.of("2"), Set.of());
        RememberedEntitiesStore other = newInstance();
        assertEquals(Set.of("1", "2", "4", "5"), await(other.open(TYPE, 1, token(2))));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        assertEquals(Set.of("1", "2", "4", "5"), await(other.open(TYPE, 1, token(2))));
    }

    @Test
    @DisplayName("REM-16 one write of 1,000 starts and 1,000 stops")
    void takesManyChangesInOneWrite() {
        await(first().open(TYPE, 1, token(1)));
        update(first(), 1, token(1), ids(0, 1_000), Set.of());
        update(first(), 1, token(1), ids(1_000, 2_000), ids(0, 1_000));
        assertEquals(ids(1_000, 2_000), await(newInstance().open(TYPE, 1, token(2))));
    }

    @Test
    void aHundredThousandIdsOfOneShardAreListedAgain() {
        await(first().open(TYPE, 1, token(1)));
        long begin = System.nanoTime();
        for (int from = 0; from < MANY; from += BATCH) {
            update(first(), 1, token(1), ids(from, from + BATCH), Set.of());
        }
        long written = System.nanoTime();
        Set<String> listed = await(last().open(TYPE, 1, token(2)));
        long read = System.nanoTime();
        assertEquals(ids(0, MANY), listed);
        System.out.println(getClass().getSimpleName() + ": " + MANY + " ids of one shard written in batches of " + BATCH
                + " in " + TimeUnit.NANOSECONDS.toMillis(written - begin) + " ms, listed in "
                + TimeUnit.NANOSECONDS.toMillis(read - written) + " ms");
    }

    @Test
    void whoHasAnOlderTokenIsRefusedOnEveryNode() {
        await(first().open(TYPE, 1, token(1)));
        update(first(), 1, token(1), Set.of("a", "b"), Set.of());
        assertEquals(Set.of("a", "b"), await(last().open(TYPE, 1, token(2))));
        for (RememberedEntitiesStore node : nodes()) {
            assertStale(node.open(TYPE, 1, token(1)));
            assertStale(node.update(TYPE, 1, token(1), ids(0, 100), Set.of("a")));
            assertStale(node.update(TYPE, 1, token(1), Set.of("late"), Set.of()));
        }
        assertEquals(Set.of("a", "b"), await(first().open(TYPE, 1, token(2))));
        update(last(), 1, token(2), Set.of("c"), Set.of("a"));
        assertEquals(Set.of("b", "c"), await(first().open(TYPE, 1, token(3))));
    }

    @Test
    void aNewHomeOfAnEmptyShardFencesToo() {
        await(first().open(TYPE, 1, token(2)));
        for (int i = 0; i < 50; i++) {
            assertStale(last().update(TYPE, 1, token(1), Set.of("id-" + i), Set.of()));
        }
        assertEquals(Set.of(), await(last().open(TYPE, 1, token(3))));
    }

    @Test
    void everyPartOfATokenCounts() {
        await(first().open(TYPE, 1, new FencingToken(5, 5, 5)));
        for (FencingToken older : List.of(
                new FencingToken(4, 9, 9), new FencingToken(5, 4, 9), new FencingToken(5, 5, 4), FencingToken.NONE)) {
            assertStale(last().update(TYPE, 1, older, Set.of("x"), Set.of()));
        }
        FencingToken greatest = new FencingToken(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
        update(last(), 1, greatest, Set.of("x"), Set.of());
        assertStale(first().open(TYPE, 1, new FencingToken(Long.MAX_VALUE, Long.MAX_VALUE, 0)));
        assertEquals(Set.of("x"), await(first().open(TYPE, 1, greatest)));
    }

    @Test
    void anUpdateThatIsOvertakenIsListedOrRefused() {
        for (int round = 0; round < 20; round++) {
            FencingToken old = token(2 * round + 1);
            Set<String> expected = await(first().open(TYPE, 1, old));
            Set<String> added = ids(round * 100, round * 100 + 100);
            Future<Void> overtaken = first().update(TYPE, 1, old, added, Set.of());
            Set<String> listed = await(last().open(TYPE, 1, token(2 * round + 2)));
            expected.addAll(added);
            assertTrue(expected.containsAll(listed), "nothing else is listed");
            if (await(overtaken.transform(done -> Future.succeededFuture(done.succeeded())))) {
                assertEquals(expected, listed, "what was acknowledged is listed");
            } else {
                assertInstanceOf(StaleTokenException.class, overtaken.cause());
            }
            assertEquals(listed, await(first().open(TYPE, 1, token(2 * round + 2))), "what was listed stays");
        }
    }

    @Test
    void repeatingAWriteChangesNothing() {
        await(first().open(TYPE, 1, token(1)));
        for (int i = 0; i < 3; i++) {
            update(first(), 1, token(1), Set.of("a", "b"), Set.of("c"));
            update(last(), 1, token(1), Set.of(), Set.of("b", "never there"));
            update(last(), 1, token(1), Set.of(), Set.of());
        }
        assertEquals(Set.of("a"), await(last().open(TYPE, 1, token(1))));
    }

    @Test
    void anIdIsAnyText() {
        Set<String> strange = Set.of(
                "",
                " ",
                "/",
                "a/b",
                "\0",
                "\n\t\"'\\",
                "n\u00e4me",
                "\uD83D\uDE80",
                "\u202e",
                "x".repeat(5_000),
                "%00",
                "\uFFFF");
        await(first().open(TYPE, 1, token(1)));
        update(first(), 1, token(1), strange, Set.of());
        assertEquals(strange, await(newInstance().open(TYPE, 1, token(2))));
    }

    @Test
    void typesAndShardsAreApart() {
        List<String> types = List.of("a", "a/1", "a/", "A", "\u00e4", "a 1", "1");
        for (int shard : List.of(0, 1, 11, 65_535)) {
            for (String type : types) {
                await(first().update(type, shard, token(shard), Set.of(type + shard, "same"), Set.of()));
            }
        }
        for (int shard : List.of(0, 1, 11, 65_535)) {
            for (String type : types) {
                assertEquals(Set.of(type + shard, "same"), await(last().open(type, shard, token(shard))));
            }
        }
        for (String type : types) {
            assertEquals(Set.of(0, 1, 11, 65_535), await(last().shards(type)));
        }
    }

    @Test
    void shardsAreThoseThatHaveIds() {
        assertEquals(Set.of(), await(last().shards(TYPE)));
        for (int shard = 0; shard < 20; shard++) {
            await(first().open(TYPE, shard, token(1)));
        }
        assertEquals(Set.of(), await(last().shards(TYPE)));
        update(first(), 3, token(1), Set.of("a"), Set.of());
        update(first(), 17, token(1), Set.of("b", "c"), Set.of());
        for (RememberedEntitiesStore node : nodes()) {
            assertEquals(Set.of(3, 17), await(node.shards(TYPE)));
        }
        update(first(), 17, token(1), Set.of(), Set.of("b", "c"));
        assertEquals(Set.of(3), await(newInstance().shards(TYPE)));
    }

    @Test
    void removingATypeForgetsItsTokensTooAndNoOther() {
        for (int shard = 0; shard < 10; shard++) {
            update(first(), shard, token(9), ids(0, 30), Set.of());
        }
        await(first().update("other", 1, token(9), Set.of("stays"), Set.of()));
        assertEquals(300, await(last().removeType(TYPE)));
        assertEquals(0, await(last().removeType(TYPE)));
        assertEquals(Set.of(), await(first().shards(TYPE)));
        assertEquals(Set.of(), await(first().open(TYPE, 1, token(1))));
        assertEquals(Set.of("stays"), await(first().open("other", 1, token(9))));
    }

    @Test
    void refusesToWorkAfterClose() {
        RememberedEntitiesStore closed = newInstance();
        await(closed.close());
        await(closed.close());
        assertInstanceOf(IllegalStateException.class, failure(closed.start()));
        assertInstanceOf(IllegalStateException.class, failure(closed.open(TYPE, 1, token(1))));
        assertInstanceOf(IllegalStateException.class, failure(closed.update(TYPE, 1, token(1), Set.of("a"), Set.of())));
        assertInstanceOf(IllegalStateException.class, failure(closed.shards(TYPE)));
        assertInstanceOf(IllegalStateException.class, failure(closed.removeType(TYPE)));
    }

    protected static FencingToken token(long sequence) {
        return new FencingToken(1, 1, sequence);
    }

    protected static Set<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "entity-" + i).collect(Collectors.toCollection(TreeSet::new));
    }

    protected static <T> T await(Future<T> future) {
        try {
            return future.await(30, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within 30 s", e);
        }
    }

    protected static Throwable failure(Future<?> future) {
        List<Throwable> failures = new ArrayList<>();
        await(future.transform(done -> {
            if (done.failed()) {
                failures.add(done.cause());
            }
            return Future.succeededFuture();
        }));
        assertEquals(1, failures.size(), () -> "succeeded with " + future.result());
        return failures.get(0);
    }

    protected RememberedEntitiesStore first() {
        return nodes().get(0);
    }

    protected RememberedEntitiesStore last() {
        return nodes().get(nodes().size() - 1);
    }

    private static void update(
            RememberedEntitiesStore store, int shard, FencingToken token, Set<String> added, Set<String> removed) {
        await(store.update(TYPE, shard, token, added, removed));
    }

    private static void assertStale(Future<?> future) {
        assertInstanceOf(StaleTokenException.class, failure(future));
    }
}
