package io.shardbus.admin;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** A response as server-sent events. */
final class EventStreamResponse {
    /** Tells a client that there is no news, and keeps proxies from closing the stream. */
    private static final String KEEP_ALIVE = "event: alive\ndata: {}\n\n";

    private static final String RETRY = "retry: 2000\n\n";

    private final HttpServerResponse response;
    private final @Nullable Zip zip;

    EventStreamResponse(RoutingContext request) {
        this.response = request.response();
        this.zip = Zip.isTaken(request) ? new Zip() : null;
    }

    /** Sends the head, and how soon a client that lost the stream asks again. */
    void begin() {
        response.putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("X-Accel-Buffering", "no")
                .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .setChunked(true);
        if (zip != null) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, Zip.NAME);
        }
        write(RETRY);
    }

    /**
     * Sends one event.
     *
     * @param id what the client sends as {@code Last-Event-ID} when it asks again; null to leave the last one
     */
    void send(String event, @Nullable String id, JsonObject data) {
        // JSON has no line breaks outside of texts, and none unescaped in them
        write((id == null ? "" : "id: " + id + "\n") + "event: " + event + "\ndata: " + data.encode() + "\n\n");
    }

    void keepAlive() {
        write(KEEP_ALIVE);
    }

    /** Whether the client keeps up with reading; otherwise it gets nothing more until it does. */
    boolean isReady() {
        return !response.writeQueueFull();
    }

    /** Runs something once the client keeps up: at once, or when it has read; not if it has gone. */
    void whenReady(Runnable next) {
        if (isOver()) {
            return;
        }
        if (isReady()) {
            next.run();
        } else {
            response.drainHandler(drained -> next.run());
        }
    }

    boolean isOver() {
        return response.ended() || response.closed();
    }

    /** The client has gone: frees what is kept outside of the heap. */
    synchronized void free() {
        if (zip != null) {
            zip.end();
        }
    }

    synchronized Future<Void> end() {
        if (isOver()) {
            return Future.succeededFuture();
        }
        return zip == null ? response.end() : response.end(zip.end());
    }

    /** Each part in its order: viewers are served by several event loops. */
    private synchronized void write(String text) {
        if (isOver()) {
            return;
        }
        if (zip == null) {
            response.write(text);
        } else {
            response.write(zip.next(text));
        }
    }
}
