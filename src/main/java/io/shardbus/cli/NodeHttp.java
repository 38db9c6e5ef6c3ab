package io.shardbus.cli;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Requests to the admin resources of one node. Every failure is a {@link CommandFailure} of one line. */
final class NodeHttp {
    private static final int NOT_FOUND = 404;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REST_TIMEOUT = Duration.ofSeconds(1);
    private static final String API = "/api/v1";
    private static final Pattern DOTS = Pattern.compile("\\.{1,2}");
    private static final Pattern DOTS_IN_PATH = Pattern.compile("\\b(types|entities)/((?:%2E){1,2})(?=/|$)");

    private final String mount;
    private final Map<String, String> headers;
    private final Duration timeout;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();

    /** An answer of a resource that is JSON with any status, such as health. */
    record Answer(int status, JsonObject body) {}

    /**
     * @param url of the mount of the admin resources; a user and a password in it are sent as Authorization, unless
     *     there is such a header, and are not printed
     * @param headers sent with each request
     */
    NodeHttp(String url, Map<String, String> headers, Duration timeout) {
        this.timeout = timeout;
        this.headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        this.headers.putAll(headers);
        String whole = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        URI uri = uri(whole);
        String scheme = uri.getScheme();
        if (uri.getHost() == null || !"http".equals(scheme) && !"https".equals(scheme)) {
            throw badUrl(whole);
        }
        String user = uri.getRawUserInfo();
        this.mount = user == null ? whole : whole.replaceFirst("//[^@]*@", "//");
        if (user != null) {
            this.headers.putIfAbsent("Authorization", "Basic " + basic(uri.getUserInfo()));
        }
    }

    private static String basic(String user) {
        return Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    /** A text as one segment of a path, or as the value of a parameter; an empty one would name another resource. */
    static String segment(String text) {
        if (text.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "a name or an id is empty");
        }
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        return DOTS.matcher(encoded).matches() ? encoded.replace(".", "%2E") : encoded;
    }

    /** Servers take . and .. out of a path, also percent-encoded: they are named in the query. */
    static String visible(String path) {
        List<String> named = new ArrayList<>();
        int query = path.indexOf('?');
        String place = DOTS_IN_PATH
                .matcher(query < 0 ? path : path.substring(0, query))
                .replaceAll(found -> {
                    named.add((found.group(1).equals("types") ? "type=" : "id=") + found.group(2));
                    return found.group(1) + "/-";
                });
        if (query >= 0) {
            named.add(path.substring(query + 1));
        }
        return named.isEmpty() ? place : place + "?" + String.join("&", named);
    }

    String mount() {
        return mount;
    }

    /** Reads a resource below {@code api/v1}. */
    JsonObject get(String path) {
        return success(send(request(API + path).GET().build(), BodyHandlers.ofString()));
    }

    /** The same of a resource that nodes of an earlier build do not have; empty there. */
    Optional<JsonObject> find(String path) {
        HttpResponse<String> response = send(request(API + path).GET().build(), BodyHandlers.ofString());
        return response.statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(success(response));
    }

    /** Changes something below {@code api/v1}. */
    JsonObject change(String method, String path, @Nullable JsonObject body) {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.encode());
        return success(send(
                request(API + path)
                        .header("X-Shardbus-Request", "1")
                        .header("Content-Type", "application/json")
                        .method(method, publisher)
                        .build(),
                BodyHandlers.ofString()));
    }

    /** Reads a resource at the mount that has a body with any status. */
    Answer look(String path) {
        HttpResponse<String> response = send(request(path).GET().build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), json(response.statusCode(), response.body()));
    }

    /** Opens a stream below {@code api/v1}. */
    NodeEvents stream(String path, @Nullable String lastEventId) {
        HttpRequest.Builder request = request(API + path).header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        var response = send(request.GET().build(), BodyHandlers.ofPublisher());
        var lines = new StreamLines();
        response.body().subscribe(BodySubscribers.fromLineSubscriber(lines));
        if (response.statusCode() != 200) {
            throw refusal(response.statusCode(), json(response.statusCode(), lines.rest()));
        }
        return new NodeEvents(mount, lines);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(mount + visible(path))).timeout(timeout);
        try {
            headers.forEach(request::header);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--header: " + e.getMessage(), e);
        }
        return request;
    }

    private static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw badUrl(text);
        }
    }

    /** Failure for a URL that cannot be read: it may have a password anywhere before its last @. */
    private static CommandFailure badUrl(String text) {
        String shown = text.replaceFirst("^(\\w+://)?.*@", "$1***@");
        return new CommandFailure(
                ExitCode.USAGE, "'" + shown + "' is no URL of admin resources, such as http://127.0.0.1:8080/sharding");
    }

    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        try {
            return answer(request, handler);
        } catch (HttpConnectTimeoutException | ConnectException | SSLHandshakeException e) {
            throw new CommandFailure(ExitCode.UNREACHABLE, "no node answers at " + mount + ": " + reason(e), e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(unanswered(request), mount + " does not answer in time", e);
        } catch (IOException e) {
            throw new CommandFailure(unanswered(request), "no answer came from " + mount + ": " + reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }

    /** The timeout of a request is over with the head of its answer: the rest must come by then, too. */
    private <T> HttpResponse<T> answer(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> sent = client.sendAsync(request, handler);
        try {
            return sent.get(timeout.plus(REST_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new HttpTimeoutException("the rest of the answer is missing");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        }
    }

    /** A change that was sent may have been carried out. */
    private static ExitCode unanswered(HttpRequest request) {
        return request.method().equals("GET") ? ExitCode.UNREACHABLE : ExitCode.FAILED;
    }

    private static String reason(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return "the host's name is unknown";
            }
        }
        if (failure instanceof ConnectException && failure.getMessage() == null) {
            return "connection refused";
        }
        return String.valueOf(failure.getMessage());
    }

    private JsonObject success(HttpResponse<String> response) {
        JsonObject body = json(response.statusCode(), response.body());
        if (response.statusCode() != 200) {
            throw refusal(response.statusCode(), body);
        }
        return body;
    }

    /** All resources answer with an object; another answer is not from this API. */
    private JsonObject json(int status, String body) {
        try {
            return new JsonObject(body);
        } catch (DecodeException e) {
            if (status == 401 || status == 403) {
                throw new CommandFailure(ExitCode.ofStatus(status), mount + " refuses with status " + status, e);
            }
            throw noResources(status);
        }
    }

    private CommandFailure refusal(int status, JsonObject body) {
        String message = body.getString("message");
        if (message == null || message.startsWith("no resource ")) {
            return noResources(status);
        }
        return new CommandFailure(ExitCode.ofStatus(status), message + " (" + status + ")");
    }

    private CommandFailure noResources(int status) {
        return new CommandFailure(
                ExitCode.UNREACHABLE,
                mount + " answers with status " + status + " and has no admin resources:"
                        + " --url is to name their mount, such as http://127.0.0.1:8080/sharding");
    }
}
