package io.shardbus.admin;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** The JSON object in the body of a request. What is not of the expected shape is refused with 400, which names it. */
final class JsonBody {
    private JsonBody() {}

    /**
     * The object; an empty one for a request without a body.
     *
     * @param shape the text of the refusal
     */
    static JsonObject of(RoutingContext request, String shape) {
        try {
            var body = request.body().buffer();
            if (body == null || body.length() == 0) {
                return new JsonObject();
            }
            if (body.toJsonValue() instanceof JsonObject json) {
                return json;
            }
        } catch (DecodeException e) {
            throw refused("the body is no JSON");
        }
        throw refused(shape);
    }

    /** The value of the only key of the object. */
    static Object only(RoutingContext request, String key, String shape) {
        JsonObject body = of(request, shape);
        Object value = body.getValue(key);
        if (body.size() != 1 || value == null) {
            throw refused(shape);
        }
        return value;
    }

    /** The same for an int. */
    static int wholeNumber(RoutingContext request, String key) {
        String shape = "the body must be {\"" + key + "\": a whole number}";
        if (only(request, key, shape) instanceof Integer number) {
            return number;
        }
        throw refused(shape);
    }

    static RefusedRequest refused(String reason) {
        return new RefusedRequest(HttpFailure.badRequest(reason));
    }
}
