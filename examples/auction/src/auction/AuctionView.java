package auction;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An auction as one of its instances knew it.
 *
 * @param highest the highest bid; null before the first
 * @param bids how many bids were accepted
 * @param node the node where the instance lived
 * @param incarnation another one for every start of an instance
 */
public record AuctionView(
        String id, @Nullable HighestBid highest, long bids, boolean closed, String node, String incarnation) {
    JsonObject toJson() {
        return new JsonObject()
                .put("id", id)
                .put("highest", highest == null ? null : highest.toJson())
                .put("bids", bids)
                .put("closed", closed)
                .put("node", node)
                .put("incarnation", incarnation);
    }
}
