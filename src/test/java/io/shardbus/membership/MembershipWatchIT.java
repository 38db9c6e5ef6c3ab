package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.model.NodeId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.cachemanagerlistener.event.impl.EventImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MembershipWatchIT {
    private final BareCluster cluster = new BareCluster(1);
    private final OwnThread thread = new OwnThread("test-membership");
    private final List<ClusterView> views = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<MembershipWatch.Events> events = new AtomicReference<>();

    private class Listener implements Membership.Listener {
        @Override
        public void viewChanged(ClusterView view) {
            views.add(view);
        }

        @Override
        public void attributesChanged(Map<NodeId, NodeAttributes> changed) {}
    }

    @AfterEach
    void stop() {
        thread.close();
        cluster.close();
    }

    @Test
    @DisplayName("a merge that cannot be read at once is told with the next look: who reigns claims again after each")
    void aMergeIsToldAfterAFailure() {
        var node = cluster.startNode();
        var watch = new MembershipWatch(unsteady(node.manager.container()), thread, node.id(), new Listener());
        thread.run(() -> watch.start(NodeAttributes.DEFAULT));
        Await.until(() -> views, () -> views.size() == 1);
        failures.set(1);
        var merge = new EventImpl();
        merge.setSubgroupsMerged(List.of(List.of()));
        events.get().merged(merge);
        Await.until(() -> views, () -> views.size() > 1);
        assertEquals(0, failures.get());
        assertTrue(views.get(1).merged(), views::toString);
        thread.run(watch::stop);
    }

    /** The container, which shows its members only after the failures that are due. */
    private EmbeddedCacheManager unsteady(EmbeddedCacheManager container) {
        return (EmbeddedCacheManager) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EmbeddedCacheManager.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("addListener")) {
                        events.set((MembershipWatch.Events) arguments[0]);
                    }
                    if (method.getName().equals("getMembers")
                            && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new IllegalStateException("in the middle of a change");
                    }
                    try {
                        return method.invoke(container, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    @DisplayName("each of two calls of stop ends, also the one that comes before the first has been carried out")
    void stopsTwice() throws InterruptedException {
        var node = cluster.startNode();
        var busy = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var membership = new InfinispanMembership(node.manager, NodeAttributes.DEFAULT);
        var started = membership.start(new Listener() {
            @Override
            public void viewChanged(ClusterView view) {
                busy.countDown();
                awaitQuietly(go);
            }
        });
        assertTrue(busy.await(10, TimeUnit.SECONDS));
        var first = membership.stop();
        var second = membership.stop();
        go.countDown();
        Await.result(started);
        Await.result(first);
        Await.result(second);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
