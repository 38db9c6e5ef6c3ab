package auction;

import common.Web;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.admin.HttpFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Set;
import java.util.function.Function;

/** The auctions over HTTP. */
final class AuctionApi {
    private static final String AUCTION = "/auctions/(?<id>[^/]*)";
    /** Bytes. */
    static final int LARGEST_BODY = 10_000;

    private static final int LONGEST_NAME = 100;
    private static final long LONGEST_AUCTION_MS = 31L * 24 * 3_600_000;
    private static final Set<String> CONFLICTS = Set.of(Auction.TOO_LOW, Auction.CLOSED, Auction.ALREADY_OPEN);

    private final Function<String, EntityRef<AuctionMessage>> auctions;

    private AuctionApi(Function<String, EntityRef<AuctionMessage>> auctions) {
        this.auctions = auctions;
    }

    static Router router(Vertx vertx, Function<String, EntityRef<AuctionMessage>> auctions, AuctionFeed feed) {
        var api = new AuctionApi(auctions);
        var router = Router.router(vertx);
        router.route().handler(Web::refuseStrangePaths);
        router.post()
                .handler(BodyHandler.create(false).setBodyLimit(LARGEST_BODY))
                .failureHandler(Web::answerBrokenBody);
        router.routeWithRegex(HttpMethod.GET, AUCTION).handler(request -> answer(request, api::read));
        router.routeWithRegex(HttpMethod.POST, AUCTION).handler(request -> answer(request, api::open));
        others(router, AUCTION, "GET, POST");
        router.routeWithRegex(HttpMethod.POST, AUCTION + "/bids").handler(request -> answer(request, api::bid));
        others(router, AUCTION + "/bids", "POST");
        router.routeWithRegex(HttpMethod.GET, AUCTION + "/events").handler(request -> api.listen(request, feed));
        others(router, AUCTION + "/events", "GET");
        router.route()
                .last()
                .handler(request -> Web.answer(
                        request,
                        HttpFailure.notFound("no resource " + request.request().method() + " "
                                + request.request().path())));
        return router;
    }

    /** Answers the methods that the path does not have. */
    private static void others(Router router, String path, String methods) {
        router.routeWithRegex(path).handler(request -> {
            request.response().putHeader("Allow", methods);
            Web.answer(
                    request,
                    HttpFailure.methodNotAllowed(
                            "use " + methods + " for " + request.request().path()));
        });
    }

    private void listen(RoutingContext request, AuctionFeed feed) {
        try {
            feed.listen(request, auction(request).id());
        } catch (ShardingException e) {
            Web.answer(request, failure(e));
        }
    }

    private EntityRef<AuctionMessage> auction(RoutingContext request) {
        return auctions.apply(request.pathParam("id"));
    }

    private Future<AuctionView> read(RoutingContext request) {
        return auction(request).ask(new AuctionMessage.Read());
    }

    private Future<AuctionView> open(RoutingContext request) {
        long forMillis = number(body(request), "forMillis", LONGEST_AUCTION_MS);
        return auction(request).ask(new AuctionMessage.Open(forMillis));
    }

    private Future<AuctionView> bid(RoutingContext request) {
        var body = body(request);
        if (!(body.getValue("bidder") instanceof String bidder) || bidder.isBlank() || bidder.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("bidder: a name of 1 to " + LONGEST_NAME + " characters is needed");
        }
        return auction(request).ask(new AuctionMessage.Bid(bidder, number(body, "amount", Long.MAX_VALUE)));
    }

    private static JsonObject body(RoutingContext request) {
        try {
            var body = request.body().asJsonObject();
            if (body != null) {
                return body;
            }
        } catch (DecodeException | ClassCastException e) {
            // refused below
        }
        throw new IllegalArgumentException("the body must be a JSON object");
    }

    private static long number(JsonObject body, String name, long most) {
        var value = body.getValue(name);
        if ((value instanceof Integer || value instanceof Long)
                && ((Number) value).longValue() > 0
                && ((Number) value).longValue() <= most) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException(name + ": a whole number from 1 to " + most + " is needed");
    }

    private static void answer(RoutingContext request, Function<RoutingContext, Future<AuctionView>> resource) {
        try {
            resource.apply(request)
                    .onSuccess(state -> Web.answer(request, 200, state.toJson()))
                    .onFailure(failure -> Web.answer(request, failure(failure)));
        } catch (IllegalArgumentException e) {
            Web.answer(request, HttpFailure.badRequest(e.getMessage()));
        } catch (ShardingException e) {
            Web.answer(request, failure(e));
        }
    }

    private static HttpFailure failure(Throwable failure) {
        var code = failure instanceof ShardingException sharding ? sharding.entityCode() : null;
        return code != null && CONFLICTS.contains(code)
                ? new HttpFailure(409, code, failure.getMessage())
                : HttpFailure.of(failure);
    }
}
