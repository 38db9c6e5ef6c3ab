package io.shardbus;

/**
 * A message that only code with an {@link EntityRef} sends: other entities, timers, the application. An event-bus
 * client that sends one gets {@link io.shardbus.model.FailureCode#INTERNAL_MESSAGE}, and the entity does not see it.
 *
 * <pre>{@code
 * sealed interface AuctionMessage {}
 * record Bid(String bidder, long amount) implements AuctionMessage, Ask<View> {}
 * record Close() implements AuctionMessage, InternalMessage {} // sent by the auction's own timer
 * }</pre>
 */
public interface InternalMessage {}
