package auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import auction.AuctionMessage.Bid;
import auction.AuctionMessage.Open;
import auction.AuctionMessage.Read;
import io.shardbus.ShardingException;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One auction, in the time of the test. */
class AuctionTest {
    private final List<String> heard = new ArrayList<>();
    private final MemoryStore store = MemoryStore.create();
    private final EntityTestKit<AuctionMessage> auction = EntityTestKit.withClock(
            clock -> Auction.definition(store, (event, state) -> heard.add(event + " " + state.bids()), clock));

    @BeforeEach
    void start() {
        auction.startReminders(store);
    }

    @AfterEach
    void close() {
        auction.close();
    }

    private String refusal(AuctionMessage message) {
        return assertThrows(ShardingException.class, () -> auction.ask(message)).entityCode();
    }

    @Test
    void existsWhenItIsFirstReadAndIsOpenForTenMinutes() {
        var unknown = auction.ask(new Read());
        assertNull(unknown.highest());
        assertEquals(0, unknown.bids());
        auction.advance(Duration.ofMinutes(10).minusSeconds(1));
        assertFalse(auction.ask(new Read()).closed());
        auction.advance(Duration.ofSeconds(1));
        assertTrue(auction.ask(new Read()).closed());
        assertEquals(Auction.CLOSED, refusal(new Bid("ann", 5)));
    }

    @Test
    void takesOnlyBidsThatAreHigher() {
        assertEquals(new HighestBid("ann", 5), auction.ask(new Bid("ann", 5)).highest());
        assertEquals(Auction.TOO_LOW, refusal(new Bid("bob", 5)));
        assertEquals(2, auction.ask(new Bid("bob", 6)).bids());
        assertEquals(List.of("bid 1", "bid 2"), heard);
    }

    @Test
    void closesWhenTheTimeIsUpForWhichItWasOpened() {
        auction.ask(new Open(60_000));
        assertEquals(Auction.ALREADY_OPEN, refusal(new Open(60_000)));
        auction.ask(new Bid("ann", 5));
        auction.advance(Duration.ofMinutes(1));
        assertEquals(List.of("bid 1", "closed 1"), heard);
    }

    @Test
    void refusesABidAtItsEndThoughNoReminderHasCome() {
        try (var late = EntityTestKit.withClock(clock -> Auction.definition(store, (event, state) -> {}, clock))) {
            late.ask(new Open(60_000));
            late.advance(Duration.ofMinutes(1));
            assertTrue(late.ask(new Read()).closed());
            assertEquals(
                    Auction.CLOSED,
                    assertThrows(ShardingException.class, () -> late.ask(new Bid("ann", 5)))
                            .entityCode());
        }
    }

    @Test
    void knowsItsBidsAndItsEndInItsNextInstance() {
        var first = auction.ask(new Bid("ann", 5));
        auction.advance(Duration.ofMinutes(9));
        auction.move();
        var moved = auction.ask(new Read());
        assertEquals(new HighestBid("ann", 5), moved.highest());
        assertFalse(moved.closed());
        assertNotEquals(first.incarnation(), moved.incarnation());
        auction.passivate();
        auction.advance(Duration.ofMinutes(1));
        assertEquals(List.of("bid 1", "closed 1"), heard);
        assertTrue(auction.ask(new Read()).closed());
    }
}
