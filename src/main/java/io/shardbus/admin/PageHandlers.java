package io.shardbus.admin;

import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** The page that shows the cluster in a browser: its index under {@code ui/}, its files below that. */
final class PageHandlers {
    private static final String KEPT = "private, max-age=31536000, immutable";
    private static final String NOT_KEPT = "no-store";

    private final Vertx vertx;
    private final PageSettings settings;
    private @Nullable Future<PageFiles> files;

    PageHandlers(Vertx vertx, AdminOptions options) {
        this.vertx = vertx;
        this.settings = PageSettings.of(options);
    }

    /** Redirects a browser to the page; programs, which take anything, get the JSON of the next handler. */
    void leadBrowsers(RoutingContext request) {
        if (AcceptedTypes.prefers(request, "text/html")) {
            redirect(request);
            return;
        }
        request.response().putHeader(HttpHeaders.VARY, "Accept");
        request.next();
    }

    /** Leads to the page, by an address that holds behind a proxy with another path, too. */
    private static void redirect(RoutingContext request) {
        var path = request.request().path();
        var last = path.substring(path.lastIndexOf('/') + 1);
        var target = switch (last) {
            case "" -> "ui/";
            case "ui" -> "ui/";
            default -> last + "/ui/";
        };
        request.response()
                .setStatusCode(302)
                .putHeader(HttpHeaders.LOCATION, target)
                .putHeader(HttpHeaders.VARY, "Accept")
                .putHeader(HttpHeaders.CACHE_CONTROL, NOT_KEPT)
                .end();
    }

    /** The index; a request without the slash at its end is led to the one with it. */
    void index(RoutingContext request) {
        if (!request.request().path().endsWith("/")) {
            redirect(request);
            return;
        }
        files().onSuccess(known -> {
                    request.response().putHeader("Content-Security-Policy", known.policy());
                    send(request, "text/html; charset=utf-8", NOT_KEPT, known.index());
                })
                .onFailure(request::fail);
    }

    /** A file of the page. One that another version's index asked for is not kept by the browser. */
    void file(RoutingContext request) {
        var version = request.pathParam("version");
        var directory = request.pathParam("directory");
        var name = (directory == null ? "" : directory + "/") + request.pathParam("file");
        files().onSuccess(known -> {
                    var file = known.file(name);
                    if (file == null) {
                        request.fail(new RefusedRequest(HttpFailure.notFound("the page has no file " + name)));
                        return;
                    }
                    var cached = known.version().equals(version) ? KEPT : NOT_KEPT;
                    request.response().putHeader(HttpHeaders.VARY, "Accept-Encoding");
                    if (Zip.isTaken(request)) {
                        request.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
                        send(request, file.type(), cached, file.zipped());
                    } else {
                        send(request, file.type(), cached, file.bytes());
                    }
                })
                .onFailure(request::fail);
    }

    private static void send(RoutingContext request, String type, String cached, Buffer body) {
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                .putHeader(HttpHeaders.CACHE_CONTROL, cached)
                .end(body);
    }

    /** Read once, with the first request. */
    private synchronized Future<PageFiles> files() {
        var known = files;
        if (known == null || known.failed()) {
            known = vertx.executeBlocking(() -> PageFiles.read(settings));
            files = known;
        }
        return known;
    }
}
