package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Seats;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.Peer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A DNS that publishes the names of new machines late. */
class SeatSearchTest {
    private static final Set<String> SEATS = Set.of("pod-0:7800", "pod-1:7800", "pod-2:7800");

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, String> published = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicBoolean onEventLoop = new AtomicBoolean();
    /** After so many lookups of its name the third pod is published. */
    private volatile int publishedAfter = Integer.MAX_VALUE;

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private List<InetAddress> resolve(Peer seat) {
        onEventLoop.compareAndSet(false, !Context.isOnWorkerThread());
        if (seat.host().equals("pod-2") && lookups.incrementAndGet() > publishedAfter) {
            published.put("pod-2", "10.0.0.3");
        }
        String address = published.get(seat.host());
        try {
            return address == null ? List.of() : List.of(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private Seats find(SeatPlan plan, String address, int port) throws Exception {
        OwnPlace own = new OwnPlace(new InetSocketAddress(address, port));
        SeatSearch search = new SeatSearch(vertx, plan, own, this::resolve, 1);
        Seats seats = search.find().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertFalse(onEventLoop.get(), "a lookup may block");
        return seats;
    }

    private static SeatPlan listed(String address) {
        return SeatPlan.of(
                new ClusterOptions().setBindAddress(address).setSeats(List.of("pod-0", "pod-1", "pod-2")), null, null);
    }

    @Test
    void aNameThatIsPublishedAfterTheProcessHasStartedIsItsSeat() throws Exception {
        published.put("pod-0", "10.0.0.1");
        publishedAfter = 5;
        Seats seats = find(listed("10.0.0.3"), "10.0.0.3", 7800);
        assertEquals("pod-2:7800", seats.own());
        assertEquals(SEATS, seats.names());
        assertEquals(6, lookups.get());
        assertTrue(seats.mayClaim());
    }

    @Test
    void aPeersNameThatIsPublishedLateIsNoSecondSeat() throws Exception {
        published.put("pod-0", "10.0.0.1");
        published.put("pod-1", "10.0.0.2");
        publishedAfter = 2;
        SeatPlan peers = SeatPlan.of(
                new ClusterOptions().setBindAddress("10.0.0.3").setPeers(List.of("pod-0", "pod-1", "pod-2")),
                null,
                null);
        assertEquals(Seats.listedWithOwn("pod-2:7800", SEATS), find(peers, "10.0.0.3", 7800));
    }

    @Test
    void theSearchIsOverOnceAllNamesLeadElsewhere() throws Exception {
        published.putAll(Map.of("pod-0", "10.0.0.1", "pod-1", "10.0.0.2", "pod-2", "10.0.0.3"));
        Seats seats = find(listed("10.0.0.9"), "10.0.0.9", 7800);
        assertEquals("", seats.own());
        assertEquals(1, lookups.get());
    }

    @Test
    void aNameWithAnotherPortIsNotWaitedFor() throws Exception {
        Seats seats = find(listed("10.0.0.9"), "10.0.0.9", 7801);
        assertEquals("", seats.own());
        assertEquals(1, lookups.get());
    }

    @Test
    void theSearchEndsWhereANameIsNeverPublished() throws Exception {
        published.putAll(Map.of("pod-0", "10.0.0.1", "pod-1", "10.0.0.2"));
        Seats seats = find(listed("10.0.0.9"), "10.0.0.9", 7800);
        assertEquals("", seats.own());
        assertEquals(SEATS, seats.names());
        assertEquals(SeatSearch.LOOKS, lookups.get());
    }
}
