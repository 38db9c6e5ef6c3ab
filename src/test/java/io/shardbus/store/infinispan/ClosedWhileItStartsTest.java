package io.shardbus.store.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosedWhileItStartsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Test
    @DisplayName("a store that is closed while it starts leaves no cache behind, and its directory to the next one")
    void leavesNothingBehind() throws Exception {
        try (var container = SavedFiles.localContainer()) {
            container.start();
            var first = InfinispanRememberedEntities.durable(held(container), directory, TIMEOUT);
            Future<?> started = first.start().transform(ended -> Future.succeededFuture());
            begun.await();
            var closed = first.close();
            Await.until(Thread::getAllStackTraces, () -> closed.isComplete() || isSomeThreadBlocked());
            go.countDown();
            Await.result(closed);
            Await.result(started);
            assertFalse(container.isRunning(RememberedCache.DURABLE));
            assertTrue(first.shards("a").failed());
            var second = InfinispanRememberedEntities.durable(container, directory, TIMEOUT);
            Await.result(second.start());
            assertEquals(Set.of(), Await.result(second.open("a", 1, new FencingToken(1, 1, 1))));
            Await.result(second.close());
        }
    }

    /** The one that closes waits for the one that starts. */
    private static boolean isSomeThreadBlocked() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("shardbus-remembered-")
                        && thread.getState() == Thread.State.BLOCKED);
    }

    /** The container, which takes the configuration of a cache when the test says so. */
    private EmbeddedCacheManager held(EmbeddedCacheManager container) {
        return (EmbeddedCacheManager) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EmbeddedCacheManager.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("defineConfiguration") && begun.getCount() > 0) {
                        begun.countDown();
                        awaitWithoutInterrupt();
                    }
                    try {
                        return method.invoke(container, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void awaitWithoutInterrupt() {
        boolean over = false;
        while (!over) {
            try {
                go.await();
                over = true;
            } catch (InterruptedException e) {
                over = go.getCount() == 0;
            }
        }
    }
}
