package auction;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What happens in auctions, as server-sent events: {@code GET /auctions/{id}/events} on any node. Auctions publish on
 * the event bus, nodes pass on what concerns their listeners. A listener that reads slowly misses events: each holds
 * the whole auction, so the next one repairs that. Streams end when the node leaves, and a listener connects again.
 */
final class AuctionFeed {
    private static final String ADDRESS = "auction.events.";
    private static final int RECONNECT_MS = 500;

    private final EventBus bus;
    private final Set<HttpServerResponse> streams = ConcurrentHashMap.newKeySet();

    AuctionFeed(Vertx vertx) {
        this.bus = vertx.eventBus();
    }

    void publish(String event, AuctionView state) {
        bus.publish(ADDRESS + state.id(), new JsonObject().put("event", event).put("auction", state.toJson()));
    }

    void listen(RoutingContext request, String id) {
        var response = request.response()
                .setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store");
        var listener = bus.<JsonObject>consumer(ADDRESS + id, message -> {
            if (!response.writeQueueFull()) {
                var body = message.body();
                response.write("event: " + body.getString("event") + "\ndata: "
                        + body.getJsonObject("auction").encode() + "\n\n");
            }
        });
        streams.add(response);
        response.closeHandler(closed -> forget(response, listener::unregister));
        response.endHandler(ended -> forget(response, listener::unregister));
        response.exceptionHandler(failure -> forget(response, listener::unregister));
        request.request().connection().shutdownHandler(leaving -> endAll());
        listener.completion().onSuccess(known -> response.write("retry: " + RECONNECT_MS + "\n: listening\n\n"));
    }

    private void forget(HttpServerResponse stream, Runnable unregister) {
        if (streams.remove(stream)) {
            unregister.run();
        }
    }

    private void endAll() {
        streams.forEach(HttpServerResponse::end);
    }
}
