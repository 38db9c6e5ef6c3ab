package io.shardbus.membership;

import io.vertx.core.spi.cluster.RegistrationInfo;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node's event-bus registrations and address published. The other side of a split deletes them, and the merge
 * keeps the deletion; so they are published again after every merge, once more when the caches have settled, and a
 * check now and then publishes the address, and what is missing of the rest. Publishing a registration also makes every
 * node ask anew who listens to its address. All of it runs on one thread of its own, one operation after the other.
 */
final class RegistrationKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationKeeper.class);
    private static final long SETTLED_AFTER_SECONDS = 2;
    private static final long MERGED_AFTER_SECONDS = 5;
    private static final long CHECK_EVERY_SECONDS = 10;
    private static final long OPERATION_SECONDS = 5;

    /** A check asks for so many registrations at most, the next one goes on from there. */
    private static final int CHECKED_AT_ONCE = 64;

    /** The operations of the cluster manager. */
    interface Registrations {
        CompletableFuture<Void> add(String address, RegistrationInfo registration);

        CompletableFuture<Void> remove(String address, RegistrationInfo registration);

        CompletableFuture<List<RegistrationInfo>> get(String address);

        CompletableFuture<Void> publishNodeInfo();
    }

    private record Registration(String address, RegistrationInfo info) {}

    private final Registrations cluster;
    private final Set<Registration> own = ConcurrentHashMap.newKeySet();
    private final OwnThread thread = new OwnThread("shardbus-registrations");
    private Iterator<Registration> unchecked = Collections.emptyIterator();

    RegistrationKeeper(Registrations cluster) {
        this.cluster = cluster;
    }

    void start() {
        thread.runEvery(CHECK_EVERY_SECONDS, () -> guarded("check", this::check));
    }

    void close() {
        thread.close();
    }

    /** What only this node sees is in no cache. */
    void added(String address, RegistrationInfo registration) {
        if (!registration.localOnly()) {
            own.add(new Registration(address, registration));
        }
    }

    void removed(String address, RegistrationInfo registration) {
        own.remove(new Registration(address, registration));
    }

    void merged() {
        thread.run(() -> guarded("publish", this::publish));
        thread.runAfter(SETTLED_AFTER_SECONDS, () -> guarded("publish", this::publish));
        thread.runAfter(MERGED_AFTER_SECONDS, () -> guarded("check", this::check));
    }

    private void publish() throws InterruptedException {
        LOG.info("The cluster merged: publishing this node's address and {} registrations again", own.size());
        await(cluster.publishNodeInfo());
        for (var registration : own) {
            publish(registration);
        }
    }

    private void publish(Registration registration) throws InterruptedException {
        await(cluster.add(registration.address(), registration.info()));
        if (!own.contains(registration)) { // removed meanwhile, and the removal may have come first
            await(cluster.remove(registration.address(), registration.info()));
        }
    }

    private void check() throws InterruptedException {
        // Whether others have the address cannot be read here: reads are local, and what this node wrote while the
        // caches
        // merged may be in its own replica alone.
        await(cluster.publishNodeInfo());
        if (!unchecked.hasNext()) {
            unchecked = own.iterator();
        }
        for (int i = 0; i < CHECKED_AT_ONCE && unchecked.hasNext(); i++) {
            check(unchecked.next());
        }
    }

    private void check(Registration registration) throws InterruptedException {
        var found = await(cluster.get(registration.address()));
        if (found != null && !found.contains(registration.info()) && own.contains(registration)) {
            LOG.warn("The registration of {} was missing in the cluster; publishing it again", registration.address());
            publish(registration);
        }
    }

    /** The answer, or null if there was none: a later round tries again. */
    private static <T> @Nullable T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(OPERATION_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("A registration could not be read or published, will try again: {}", e.toString());
            return null;
        }
    }

    @FunctionalInterface
    private interface Round {
        void run() throws InterruptedException;
    }

    private static void guarded(String name, Round round) {
        try {
            round.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Keeping the registrations published: {} failed, will try again", name, e);
        }
    }
}
