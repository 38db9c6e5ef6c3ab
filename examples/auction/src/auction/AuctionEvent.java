package auction;

/** What happened to an auction, as it is stored. */
public sealed interface AuctionEvent {
    /** It is open until then: milliseconds since 1970. */
    record Opened(long endsAt) implements AuctionEvent {}

    record BidPlaced(String bidder, long amount) implements AuctionEvent {}

    record Closed() implements AuctionEvent {}
}
