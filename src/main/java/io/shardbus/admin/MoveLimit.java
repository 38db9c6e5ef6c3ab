package io.shardbus.admin;

import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** How many shards a round of rebalancing may move, as a request says; null for as many as the strategy does. */
final class MoveLimit {
    private static final String LIMIT = "limit";
    private static final int MOST = 65_536;
    private static final String RANGE = "a whole number in 1.." + MOST;

    private MoveLimit() {}

    static @Nullable Integer ofQuery(RoutingContext request) {
        var text = request.request().getParam(LIMIT);
        if (text == null) {
            return null;
        }
        if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > MOST) {
            throw JsonBody.refused("limit '" + text + "' is not " + RANGE);
        }
        return Integer.valueOf(text);
    }

    static @Nullable Integer ofBody(RoutingContext request) {
        var shape = "the body must be {\"limit\": " + RANGE + "}, or {} for the limits of the strategy alone";
        var body = JsonBody.of(request, shape);
        if (body.isEmpty()) {
            return null;
        }
        if (body.size() == 1 && body.getValue(LIMIT) instanceof Integer limit && limit >= 1 && limit <= MOST) {
            return limit;
        }
        throw JsonBody.refused(shape);
    }
}
