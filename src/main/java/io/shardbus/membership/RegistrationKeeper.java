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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node's event-bus registrations and address published. The other side of a split deletes them, and the merge
 * keeps the deletion. So they are published again after every merge; once more when the caches contain all members, as
 * the replicas of one side are discarded before that; and a third time two seconds after the merge. Every 10 s a check
 * publishes the address, and registrations that are missing. Publishing a registration also makes every node look up
 * the listeners of its address again. All operations run one after the other on a thread of the keeper.
 */
final class RegistrationKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationKeeper.class);
    private static final long SETTLED_AFTER_SECONDS = 2;
    /** Interval in milliseconds of the looks at the caches until they contain all members. */
    private static final long LOOK_EVERY_MS = 25;
    /** Longest wait for the merge of the caches, in milliseconds. */
    private static final long UNITED_WITHIN_MS = 10_000;

    private static final long MERGED_AFTER_SECONDS = 5;
    private static final long CHECK_EVERY_SECONDS = 10;
    private static final long OPERATION_SECONDS = 5;

    /** Limit of the registrations in one check; the next check continues after them. */
    private static final int CHECKED_AT_ONCE = 64;

    /** The operations of the cluster manager. */
    interface Registrations {
        CompletableFuture<Void> add(String address, RegistrationInfo registration);

        CompletableFuture<Void> remove(String address, RegistrationInfo registration);

        CompletableFuture<List<RegistrationInfo>> get(String address);

        CompletableFuture<Void> publishNodeInfo();

        /** Whether the caches of addresses and registrations contain all members, and move no entries. */
        boolean areUnited();
    }

    private record Registration(String address, RegistrationInfo info) {}

    private final Registrations cluster;
    private final Set<Registration> own = ConcurrentHashMap.newKeySet();
    private final OwnThread thread = new OwnThread("shardbus-registrations");
    private final AtomicLong merges = new AtomicLong();
    /** Number of the last merge after which all was published in caches that contain all members. */
    private volatile long publishedAfter;

    private Iterator<Registration> unchecked = Collections.emptyIterator();
    private boolean failed;

    RegistrationKeeper(Registrations cluster) {
        this.cluster = cluster;
    }

    void start() {
        thread.runEvery(CHECK_EVERY_SECONDS, () -> guarded("check", this::check));
    }

    void close() {
        thread.close();
    }

    /** Keeps a registration, unless it is local to this node and so in no cache. */
    void added(String address, RegistrationInfo registration) {
        if (!registration.localOnly()) {
            own.add(new Registration(address, registration));
        }
    }

    void removed(String address, RegistrationInfo registration) {
        own.remove(new Registration(address, registration));
    }

    /** The reason why registrations are no longer kept published; null while they are. */
    @Nullable
    String end() {
        return thread.end();
    }

    /** Whether other nodes can send to this node: false from a merge until all is published in the merged caches. */
    boolean isPublished() {
        return publishedAfter == merges.get();
    }

    void merged() {
        long merge = merges.incrementAndGet();
        thread.run(() -> guarded("publish", this::publish));
        publishWhenUnited(merge, UNITED_WITHIN_MS / LOOK_EVERY_MS);
        thread.runAfter(SETTLED_AFTER_SECONDS, () -> guarded("publish", this::publish));
        thread.runAfter(MERGED_AFTER_SECONDS, () -> guarded("check", this::check));
    }

    private void publishWhenUnited(long merge, long looks) {
        thread.runAfterMillis(LOOK_EVERY_MS, () -> {
            if (merge == merges.get()) {
                guarded("publish", () -> lookAtCaches(merge, looks));
            }
        });
    }

    private void lookAtCaches(long merge, long looks) throws InterruptedException {
        if (looks > 0 && !cluster.areUnited()) {
            publishWhenUnited(merge, looks - 1);
        } else {
            failed = false;
            publish();
            published(merge);
        }
    }

    private void published(long merge) {
        if (!failed) {
            publishedAfter = merge;
        }
    }

    private void publish() throws InterruptedException {
        LOG.info("the cluster merged: publishing this node's address and {} registrations again", own.size());
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
        // Reads are local, so they do not show whether other nodes have the address: an entry that this node wrote
        // while the caches merged may be in its own replica only.
        long merge = merges.get();
        failed = false;
        if (publishedAfter != merge) {
            publish();
            if (cluster.areUnited()) {
                published(merge);
            }
            return;
        }
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
            LOG.warn("the registration of {} was missing in the cluster: publishing it again", registration.address());
            publish(registration);
        }
    }

    /** The answer, or null if there was none in time: a later round tries again. */
    private <T> @Nullable T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(OPERATION_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            failed = true;
            LOG.warn("cannot read or publish this node's address or a registration, retrying: {}", e.toString());
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
            LOG.warn("keeping the registrations published: {} failed, retrying", name, e);
        }
    }
}
