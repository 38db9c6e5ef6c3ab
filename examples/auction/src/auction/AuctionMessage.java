package auction;

import io.shardbus.Ask;
import io.shardbus.InternalMessage;

/** What an auction understands. Each message is answered with the auction as it is then. */
public sealed interface AuctionMessage extends Ask<AuctionView> {
    /** Changes nothing. */
    record Read() implements AuctionMessage {}

    /** Opens the auction for so long, from now; refused where it is open already. Milliseconds, at least 1. */
    record Open(long forMillis) implements AuctionMessage {}

    /** Offers an amount; refused when it is not higher than the highest bid, and when the auction is closed. */
    record Bid(String bidder, long amount) implements AuctionMessage {}

    /** The time is up: what the auction's own reminder sends. */
    record Close() implements AuctionMessage, InternalMessage {}
}
