package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A DNS that publishes the names of new machines late. */
class SeatSearchTest {
    private static final Set<String> SEATS = Set.of("pod-0:7800", "pod-1:7800", "pod-2:7800");

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, String> published = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicBoolean onEventLoop = new AtomicBoolean();
    /** After so many lookups of its name the third pod is published. */
    private volatile int publishedAfter = Integer.MAX_VALUE;

    private volatile String hostName = "guest";

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
        OwnPlace own = new OwnPlace(new InetSocketAddress(address, port), () -> hostName);
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

    private List<String> warnings(SearchedSeats search) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(SeatSearch.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try {
            search.run();
        } finally {
            logger.detachAppender(logged);
        }
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private interface SearchedSeats {
        void run() throws Exception;
    }

    private void thirdPodIsBackElsewhere() {
        hostName = "pod-2";
        published.putAll(Map.of("pod-0", "10.0.0.1", "pod-1", "10.0.0.2", "pod-2", "10.0.0.9"));
    }

    @Test
    @DisplayName("a host whose name leads to its address of before waits until the DNS has the new one")
    void aStaleAddressIsLookedUpAgain() throws Exception {
        thirdPodIsBackElsewhere();
        publishedAfter = SeatSearch.LOOKS + 10;
        assertEquals(
                List.of(),
                warnings(() -> assertEquals(
                        "pod-2:7800", find(listed("10.0.0.3"), "10.0.0.3", 7800).own())));
        assertEquals(SeatSearch.LOOKS + 11, lookups.get());
    }

    @Test
    @DisplayName("a host whose name leads elsewhere for good holds no seat, and says why at WARN")
    void anAddressThatStaysStaleIsAWarning() throws Exception {
        thirdPodIsBackElsewhere();
        List<String> warnings = warnings(() ->
                assertEquals("", find(listed("10.0.0.3"), "10.0.0.3", 7800).own()));
        assertEquals(SeatSearch.LOOKS_ELSEWHERE, lookups.get());
        assertEquals(1, warnings.size());
        assertTrue(warnings.get(0).contains("{pod-2:7800=10.0.0.9}"), warnings::toString);
        assertTrue(warnings.get(0).contains("10.0.0.3:7800"), warnings::toString);
    }

    @Test
    @DisplayName("a seat has the name of a host with its domain, too, and not with another port")
    void namesOfHostsAreComparedWithoutTheirDomains() {
        OwnPlace own = new OwnPlace(new InetSocketAddress("10.0.0.3", 7800), () -> "pod-2");
        assertTrue(own.isNamed(Peer.parse("pod-2:7800")));
        assertTrue(own.isNamed(Peer.parse("POD-2.nodes.default.svc:7800")));
        assertFalse(own.isNamed(Peer.parse("pod-21.nodes.default.svc:7800")));
        assertFalse(own.isNamed(Peer.parse("pod-2:7801")));
    }
}
