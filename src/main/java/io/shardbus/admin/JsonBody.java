package io.shardbus.admin;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/** The JSON object in the body of a request. What is not of the expected shape is refused with 400, which names it. */
final class JsonBody {
    private JsonBody() {}

    /**
     * The object; an empty one for a request without a body. A form is refused.
     *
     * @param shape the text of the refusal
     */
    static JsonObject of(RoutingContext request, String shape) {
        try {
            var body = request.body().buffer();
            if (body == null || body.length() == 0) {
                requireNoForm(request);
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

    /** A form with files has its fields elsewhere: with an empty body it would count as a request without any. */
    private static void requireNoForm(RoutingContext request) {
        String type = request.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            throw refused("the body must be JSON, not a form");
        }
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
