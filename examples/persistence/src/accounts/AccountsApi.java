package accounts;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.admin.HttpFailure;
import io.shardbus.model.CommandId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Accounts, transfers and statements over HTTP. */
final class AccountsApi {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final long LONGEST_TIMEOUT = Duration.ofDays(1).toMillis();
    private static final long LARGEST_AMOUNT = 1_000_000_000_000L;
    /** Longer than milliseconds since 1970 are for some thousand years. */
    private static final long LATEST_COMMAND = 100_000_000_000_000L;
    /** What an account refuses as it is now; another balance would do. */
    private static final Set<String> CONFLICTS = Set.of("INSUFFICIENT", "OVERFLOW");

    private final Function<String, EntityRef<AccountMessage>> accounts;
    private final Statements statements;

    private AccountsApi(Function<String, EntityRef<AccountMessage>> accounts, Statements statements) {
        this.accounts = accounts;
        this.statements = statements;
    }

    private record Answer(int status, JsonObject body) {
        static Answer of(AccountView account) {
            return new Answer(200, account.toJson());
        }
    }

    static Router router(Vertx vertx, Function<String, EntityRef<AccountMessage>> accounts, Statements statements) {
        var api = new AccountsApi(accounts, statements);
        var router = Router.router(vertx);
        on(router, HttpMethod.GET, "/accounts/(?<id>[^/]*)", api::get);
        on(router, HttpMethod.POST, "/accounts/(?<id>[^/]*)/deposit/(?<amount>[^/]*)", api::deposit);
        on(router, HttpMethod.POST, "/accounts/(?<id>[^/]*)/withdraw/(?<amount>[^/]*)", api::withdraw);
        on(router, HttpMethod.POST, "/transfers/(?<id>[^/]*)/(?<to>[^/]*)/(?<amount>[^/]*)", api::transfer);
        on(router, HttpMethod.GET, "/statements/(?<id>[^/]*)", api::statement);
        router.route()
                .last()
                .handler(request -> answer(
                        request,
                        HttpFailure.notFound("no resource " + request.request().path())));
        return router;
    }

    private static void on(
            Router router, HttpMethod method, String path, Function<RoutingContext, Future<Answer>> resource) {
        router.routeWithRegex(method, path).handler(request -> answer(request, resource));
        router.routeWithRegex(path).handler(request -> {
            request.response().putHeader("Allow", method.name());
            answer(
                    request,
                    HttpFailure.methodNotAllowed(
                            "use " + method + " for " + request.request().path()));
        });
    }

    private Future<Answer> get(RoutingContext request) {
        return account(request).ask(new AccountMessage.Get(), timeout(request)).map(Answer::of);
    }

    private Future<Answer> deposit(RoutingContext request) {
        return ask(request, new AccountMessage.Deposit(amount(request))).map(Answer::of);
    }

    private Future<Answer> withdraw(RoutingContext request) {
        return ask(request, new AccountMessage.Withdraw(amount(request))).map(Answer::of);
    }

    private Future<Answer> transfer(RoutingContext request) {
        String to = request.pathParam("to");
        if (to.equals(request.pathParam("id"))) {
            throw new IllegalArgumentException("a transfer needs two accounts");
        }
        // refuses an id that no account can have, before the money leaves
        var target = accounts.apply(to);
        var transfer = new AccountMessage.Transfer(target.id(), amount(request));
        return ask(request, transfer).map(source -> new Answer(202, source.toJson()));
    }

    private Future<Answer> statement(RoutingContext request) {
        return Future.succeededFuture(
                new Answer(200, statements.of(account(request).id())));
    }

    private EntityRef<AccountMessage> account(RoutingContext request) {
        return accounts.apply(request.pathParam("id"));
    }

    private static long amount(RoutingContext request) {
        return number(request.pathParam("amount"), "amount", 1, LARGEST_AMOUNT);
    }

    /** The account executes a command with an id once; the client repeats it, on any node. */
    private Future<AccountView> ask(RoutingContext request, Ask<AccountView> command) {
        CommandId id = commandId(request);
        if (id == null) {
            return account(request).ask(command, timeout(request));
        }
        // of an account with a very long id the first answer is not kept
        return account(request)
                .ask(command, id, timeout(request))
                .compose(first -> first == null
                        ? account(request).ask(new AccountMessage.Get(), timeout(request))
                        : Future.succeededFuture(first));
    }

    /**
     * The client's own; null for none. Without the moment at which the command was made it is one of this moment, and
     * is recognised while the account remembers its key; with it, an older one is refused.
     */
    private static CommandId commandId(RoutingContext request) {
        String key = request.request().getHeader("Command-Id");
        String made = request.request().getHeader("Command-Time");
        if (key == null) {
            return null;
        }
        return new CommandId(
                key, made == null ? System.currentTimeMillis() : number(made, "Command-Time", 0, LATEST_COMMAND));
    }

    private static Duration timeout(RoutingContext request) {
        List<String> given = request.queryParam("timeoutMs");
        return given.isEmpty()
                ? DEFAULT_TIMEOUT
                : Duration.ofMillis(number(given.get(0), "timeoutMs", 1, LONGEST_TIMEOUT));
    }

    private static long number(String text, String name, long from, long to) {
        try {
            long number = Long.parseLong(text);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException(name + " '" + text + "' is not a whole number from " + from + " to " + to);
    }

    private static void answer(RoutingContext request, Function<RoutingContext, Future<Answer>> resource) {
        try {
            resource.apply(request)
                    .onSuccess(answer -> answer(request, answer.status(), answer.body()))
                    .onFailure(failure -> answer(request, failure(failure)));
        } catch (IllegalArgumentException e) {
            answer(request, HttpFailure.badRequest(e.getMessage()));
        } catch (ShardingException e) {
            answer(request, failure(e));
        }
    }

    private static HttpFailure failure(Throwable failure) {
        return failure instanceof ShardingException sharding
                        && sharding.entityCode() != null
                        && CONFLICTS.contains(sharding.entityCode())
                ? new HttpFailure(409, sharding.entityCode(), sharding.getMessage())
                : HttpFailure.of(failure);
    }

    /** What no resource has dealt with. */
    static void answerError(RoutingContext request) {
        var failure = request.failure();
        answer(request, failure == null ? HttpFailure.badRequest("the path is malformed") : HttpFailure.of(failure));
    }

    private static void answer(RoutingContext request, HttpFailure failure) {
        answer(request, failure.status(), failure.toJson());
    }

    private static void answer(RoutingContext request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(body.toBuffer());
    }
}
