package auction;

import io.vertx.core.json.JsonObject;

/** The bid that wins if no higher one comes. */
public record HighestBid(String bidder, long amount) {
    JsonObject toJson() {
        return new JsonObject().put("bidder", bidder).put("amount", amount);
    }
}
