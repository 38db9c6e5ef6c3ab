package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.spi.cluster.RegistrationInfo;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a node publishes again after two sides of its cluster have met. */
class RegistrationKeeperTest {
    /** Less than until the publishing that comes two seconds after a merge. */
    private static final long SOON_MS = 1_500;

    private static final RegistrationInfo OWN = new RegistrationInfo("n1", 1, false);

    private final Caches caches = new Caches();
    private final RegistrationKeeper keeper = new RegistrationKeeper(caches);

    /** What comes to the caches of addresses and registrations. */
    private static final class Caches implements RegistrationKeeper.Registrations {
        final BlockingQueue<String> published = new LinkedBlockingQueue<>();
        final BlockingQueue<Boolean> looks = new LinkedBlockingQueue<>();
        volatile boolean united;
        volatile boolean refuse;

        @Override
        public CompletableFuture<Void> add(String address, RegistrationInfo registration) {
            published.add(address);
            return refuse
                    ? CompletableFuture.failedFuture(new IllegalStateException("the caches merge"))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> remove(String address, RegistrationInfo registration) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<List<RegistrationInfo>> get(String address) {
            return CompletableFuture.completedFuture(List.of(OWN));
        }

        @Override
        public CompletableFuture<Void> publishNodeInfo() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public boolean areUnited() {
            looks.add(united);
            return united;
        }

        void awaitPublished() throws InterruptedException {
            assertEquals("lane", published.poll(SOON_MS, TimeUnit.MILLISECONDS));
        }

        void awaitLook(boolean found) throws InterruptedException {
            assertEquals(found, looks.poll(SOON_MS, TimeUnit.MILLISECONDS));
        }
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    @Test
    @DisplayName(
            "after a merge registrations are published as soon as the caches count all members, and not ready before")
    void publishesWhenTheCachesAreUnited() throws InterruptedException {
        keeper.added("lane", OWN);
        assertTrue(keeper.isPublished());
        keeper.merged();
        assertFalse(keeper.isPublished());
        caches.awaitPublished();
        caches.awaitLook(false);
        caches.awaitLook(false);
        assertFalse(keeper.isPublished());
        assertNull(caches.published.poll());
        caches.united = true;
        caches.awaitPublished();
        awaitIsPublished();
    }

    @Test
    @DisplayName("a node whose registrations could not be published is not ready; a later merge publishes them")
    void isNotPublishedByAFailedRound() throws InterruptedException {
        keeper.added("lane", OWN);
        caches.refuse = true;
        caches.united = true;
        keeper.merged();
        caches.awaitPublished();
        caches.awaitPublished();
        keeper.merged();
        caches.awaitPublished();
        assertFalse(keeper.isPublished());
        caches.refuse = false;
        caches.awaitPublished();
        awaitIsPublished();
    }

    private void awaitIsPublished() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOON_MS);
        while (!keeper.isPublished()) {
            assertTrue(System.nanoTime() < end, "still not published");
            Thread.onSpinWait();
        }
    }
}
