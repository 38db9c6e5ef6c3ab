package auction;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/**
 * What happens in auctions, as server-sent events: {@code GET /auctions/{id}/events} on any node. Auctions publish on
 * the event bus, nodes pass on what concerns their listeners. A listener that reads slowly misses events: each holds
 * the whole auction, so the next one repairs that.
 */
final class AuctionFeed {
    private static final String ADDRESS = "auction.events.";

    private final EventBus bus;

    AuctionFeed(Vertx vertx) {
        this.bus = vertx.eventBus();
    }

    void publish(String id, String event, AuctionState state) {
        bus.publish(ADDRESS + id, new JsonObject().put("event", event).put("auction", state.toJson()));
    }

    void listen(RoutingContext request) {
        var response = request.response()
                .setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store");
        var listener = bus.<JsonObject>consumer(ADDRESS + request.pathParam("id"), message -> {
            if (!response.writeQueueFull()) {
                var body = message.body();
                response.write("event: " + body.getString("event") + "\ndata: "
                        + body.getJsonObject("auction").encode() + "\n\n");
            }
        });
        response.closeHandler(closed -> listener.unregister());
        response.exceptionHandler(failure -> listener.unregister());
        listener.completion().onSuccess(known -> response.write(": listening\n\n"));
    }
}
