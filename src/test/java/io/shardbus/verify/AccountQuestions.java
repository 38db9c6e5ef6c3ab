package io.shardbus.verify;

import io.shardbus.history.AccountMovement;
import io.shardbus.history.AccountState;
import io.shardbus.history.AccountsAtRest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the nodes of examples/persistence answer about accounts. */
final class AccountQuestions {
    private static final int OK = 200;
    private static final Duration ASK_DEADLINE = Duration.ofSeconds(3);
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

    private final HttpClient http;
    private final List<URI> nodes;
    private final List<String> accounts;

    AccountQuestions(HttpClient http, List<URI> nodes, List<String> accounts) {
        this.http = http;
        this.nodes = nodes;
        this.accounts = accounts;
    }

    /** The state in an answer; null where it is none. */
    static @Nullable AccountState state(String body) {
        var json = json(body);
        if (json == null || json.getJsonObject("token") == null) {
            return null;
        }
        var token = json.getJsonObject("token");
        return new AccountState(
                json.getString("id"),
                json.getLong("balance"),
                json.getLong("sequenceNumber"),
                json.getString("node"),
                json.getString("incarnation"),
                token.getLong("term"),
                token.getLong("sequence"));
    }

    static @Nullable JsonObject json(String body) {
        try {
            return new JsonObject(body);
        } catch (DecodeException e) {
            return null;
        }
    }

    private static List<AccountMovement> movements(String body) {
        var json = json(body);
        var lines = json == null ? new JsonArray() : json.getJsonArray("movements", new JsonArray());
        return IntStream.range(0, lines.size())
                .mapToObj(lines::getJsonObject)
                .map(line -> new AccountMovement(
                        line.getLong("sequenceNumber"),
                        line.getString("kind"),
                        line.getLong("amount"),
                        line.getLong("balance"),
                        line.getString("account")))
                .toList();
    }

    static URI of(URI node, String path) {
        return node.resolve(path + "?timeoutMs=" + ASK_DEADLINE.toMillis());
    }

    /** An account through a node; null where that does not answer with one. */
    CompletableFuture<@Nullable AccountState> state(int node, String account) {
        return ask(node, "/accounts/" + account, AccountQuestions::state);
    }

    private <T> CompletableFuture<@Nullable T> ask(int node, String path, Function<String, @Nullable T> reader) {
        var request = HttpRequest.newBuilder(of(nodes.get(node), path))
                .timeout(LONGEST_REQUEST)
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .handle((answer, failure) ->
                        failure == null && answer.statusCode() == OK ? reader.apply(answer.body()) : null);
    }

    /** What each account answers through a node; those that do not answer are not there. */
    private <T> Map<String, T> all(int node, String path, Function<String, @Nullable T> reader) {
        Map<String, CompletableFuture<@Nullable T>> asked = new HashMap<>();
        accounts.forEach(account -> asked.put(account, ask(node, path + account, reader)));
        Map<String, T> answered = new HashMap<>();
        asked.forEach((account, asking) -> {
            T answer = asking.join();
            if (answer != null) {
                answered.put(account, answer);
            }
        });
        return answered;
    }

    /** The accounts that do not answer now, each with the node through which they were asked. */
    List<String> silent(List<Integer> asked) {
        List<String> silent = new ArrayList<>();
        for (int node : asked) {
            var states = all(node, "/accounts/", AccountQuestions::state);
            accounts.stream()
                    .filter(account -> !states.containsKey(account))
                    .forEach(account -> silent.add(account + " through " + nodes.get(node)));
        }
        return silent;
    }

    /** All accounts and statements through all nodes; null where some do not answer. */
    @Nullable
    AccountsAtRest rest() {
        List<Map<String, AccountState>> states = new ArrayList<>();
        List<Map<String, List<AccountMovement>>> statements = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            states.add(all(node, "/accounts/", AccountQuestions::state));
            statements.add(all(node, "/statements/", AccountQuestions::movements));
            if (states.get(node).size() < accounts.size()
                    || statements.get(node).size() < accounts.size()) {
                return null;
            }
        }
        return new AccountsAtRest(states, statements);
    }
}
