package auction;

import auction.AuctionEvent.BidPlaced;
import auction.AuctionEvent.Opened;
import org.jspecify.annotations.Nullable;

/**
 * An auction after all its events. Immutable.
 *
 * @param endsAt milliseconds since 1970; 0 before the auction was opened
 */
public record AuctionState(@Nullable HighestBid highest, long bids, long endsAt, boolean closed) {
    static final AuctionState EMPTY = new AuctionState(null, 0, 0, false);

    AuctionState after(AuctionEvent event) {
        if (event instanceof Opened opened) {
            return new AuctionState(highest, bids, opened.endsAt(), closed);
        }
        if (event instanceof BidPlaced bid) {
            return new AuctionState(new HighestBid(bid.bidder(), bid.amount()), bids + 1, endsAt, closed);
        }
        return new AuctionState(highest, bids, endsAt, true);
    }

    boolean exists() {
        return endsAt != 0;
    }

    /** Whether its time is up, also where its reminder has yet to come. */
    boolean isOver(long now) {
        return closed || (exists() && now >= endsAt);
    }
}
