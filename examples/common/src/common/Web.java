package common;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.shardbus.admin.HttpFailure;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What the HTTP sides of the examples have in common. */
public final class Web {
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;
    private static final int INTERNAL = 500;
    /** Bytes. */
    private static final int LONGEST_LINE = 8_192;

    private static final char LAST_OF_ASCII = '~';

    private Web() {}

    /** @return fails with a text that has the address, as when it is in use */
    public static Future<HttpServer> listen(HttpServer server, NodeSettings settings) {
        return server.invalidRequestHandler(Web::answerInvalid)
                .listen(settings.httpPort(), settings.host())
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "HTTP cannot listen at " + settings.host() + ":" + settings.httpPort() + ": "
                                + failure.getMessage(),
                        failure)));
    }

    /**
     * Options of a server whose request lines may hold two of the longest ids, each byte written with a percent sign.
     */
    public static HttpServerOptions serverOptions() {
        return new HttpServerOptions().setMaxInitialLineLength(LONGEST_LINE);
    }

    /** Answers what is no HTTP; where one request ends and the next begins is not known then. */
    private static void answerInvalid(HttpServerRequest request) {
        var cause = request.decoderResult().cause();
        var failure = cause instanceof TooLongHttpLineException
                ? new HttpFailure(414, "REQUEST_URI_TOO_LONG", "the path is too long: an id has 1024 bytes at most")
                : cause instanceof TooLongHttpHeaderException
                        ? new HttpFailure(431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "the headers are too long")
                        : HttpFailure.badRequest("this is not HTTP: " + cause.getMessage());
        request.response()
                .setStatusCode(failure.status())
                .putHeader("Content-Type", "application/json")
                .putHeader("Connection", "close")
                .end(failure.toJson().toBuffer())
                .onComplete(ended -> request.connection().close());
    }

    /**
     * Answers in JSON what no resource has dealt with. To be called for the outermost router: what is wrong with a path
     * is found there, before any route.
     */
    public static void answerErrors(Router router) {
        for (int status : new int[] {400, NOT_FOUND, TOO_LARGE, INTERNAL}) {
            router.errorHandler(status, Web::answerError);
        }
    }

    private static void answerError(RoutingContext request) {
        var failure = request.failure();
        if (request.response().headWritten()) {
            // the rest of a body that was refused fails, too
            return;
        }
        if (request.statusCode() == TOO_LARGE) {
            answer(request, new HttpFailure(TOO_LARGE, "REQUEST_ENTITY_TOO_LARGE", "the body is too large"));
        } else if (request.statusCode() == NOT_FOUND) {
            answer(
                    request,
                    HttpFailure.notFound("no resource " + request.request().uri()));
        } else if (request.statusCode() == INTERNAL && failure != null) {
            answer(request, HttpFailure.of(failure));
        } else {
            answer(request, HttpFailure.badRequest("the request is malformed"));
        }
    }

    /**
     * A handler for failures of the route that reads bodies. A client that goes away in the middle of one, or breaks
     * the rules of HTTP there, is no error of this node.
     */
    public static void answerBrokenBody(RoutingContext request) {
        var failure = request.failure();
        if (failure != null
                && !(failure instanceof HttpException)
                && !request.request().isEnded()) {
            answer(request, HttpFailure.badRequest("the body cannot be read: " + failure.getMessage()));
        } else {
            request.next();
        }
    }

    /**
     * A handler for a router's first route. It refuses paths that the router would read as others: of two slashes it
     * makes one, so that the next word is taken for the id; it resolves dots; bytes that are no UTF-8 all become one
     * and the same character; and of bytes that are not written with percent signs each becomes one. It refuses queries
     * that cannot be decoded, at which routes with parameters in their path throw.
     */
    public static void refuseStrangePaths(RoutingContext request) {
        HttpFailure refusal = refusal(request.request().path());
        refusal = refusal == null ? refusalOfQuery(request) : refusal;
        if (refusal == null) {
            request.next();
        } else {
            answer(request, refusal);
        }
    }

    private static @Nullable HttpFailure refusalOfQuery(RoutingContext request) {
        try {
            request.request().params();
            return null;
        } catch (IllegalArgumentException e) {
            return HttpFailure.badRequest(
                    "the query cannot be decoded: " + e.getMessage() + "; write %25 for a percent sign");
        }
    }

    /** @param path as it came, with its percent signs; the last segment may be empty */
    private static @Nullable HttpFailure refusal(String path) {
        String[] segments = path.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment = segments[i];
            if (segment.isEmpty() && i < segments.length - 1) {
                return new HttpFailure(400, "INVALID_ID", "an id is empty: two slashes in " + path);
            }
            if (segment.replace("%2e", ".").replace("%2E", ".").matches("\\.\\.?")) {
                return new HttpFailure(400, "INVALID_ID", "the id '" + segment + "' cannot be used in a path");
            }
            if (!segment.chars().allMatch(c -> c > ' ' && c <= LAST_OF_ASCII)) {
                return new HttpFailure(
                        400, "INVALID_ID", "the path has bytes that are not ASCII: write %C3%A9 for \u00e9");
            }
            if (!isUtf8(segment)) {
                return new HttpFailure(400, "INVALID_ID", "'" + segment + "' is not UTF-8");
            }
        }
        return null;
    }

    private static boolean isUtf8(String segment) {
        if (segment.indexOf('%') < 0) {
            return true;
        }
        var bytes = ByteBuffer.allocate(segment.length() * 3);
        try {
            for (int i = 0; i < segment.length(); i++) {
                if (segment.charAt(i) == '%') {
                    bytes.put((byte) HexFormat.fromHexDigits(segment, i + 1, i + 3));
                    i += 2;
                } else {
                    bytes.put(Character.toString(segment.charAt(i)).getBytes(StandardCharsets.UTF_8));
                }
            }
            StandardCharsets.UTF_8.newDecoder().decode(bytes.flip());
            return true;
        } catch (CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** @throws IllegalArgumentException for what is not written in digits, without a sign or a zero at the begin */
    public static long number(String text, String name, long from, long to) {
        return number("0|[1-9][0-9]*", text, name, from, to);
    }

    /** As {@link #number}, with or without a sign. */
    public static long signedNumber(String text, String name, long from, long to) {
        return number("[+-]?(0|[1-9][0-9]*)", text, name, from, to);
    }

    private static long number(String form, String text, String name, long from, long to) {
        try {
            if (text.matches(form)) {
                long number = Long.parseLong(text);
                if (number >= from && number <= to) {
                    return number;
                }
            }
        } catch (NumberFormatException e) {
            // longer than any long: refused below
        }
        throw new IllegalArgumentException(name + " '" + text + "' is not a whole number from " + from + " to " + to);
    }

    public static void answer(RoutingContext request, HttpFailure failure) {
        answer(request, failure.status(), failure.toJson());
    }

    public static void answer(RoutingContext request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(body.toBuffer());
    }
}
