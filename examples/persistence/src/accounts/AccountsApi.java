package accounts;

import common.Web;
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
    /** What the request itself is no fault of: another balance, or another id, would do. */
    private static final Set<String> CONFLICTS = Set.of("INSUFFICIENT", "OVERFLOW", "COMMAND_ID_REUSED");

    private final Function<String, EntityRef<AccountMessage>> accounts;
    private final OnceById once;
    private final Statements statements;

    private AccountsApi(
            Function<String, EntityRef<AccountMessage>> accounts,
            Function<String, EntityRef<CommandMessage>> commands,
            Statements statements) {
        this.accounts = accounts;
        this.once = new OnceById(commands);
        this.statements = statements;
    }

    private record Answer(int status, JsonObject body) {
        static Answer of(JsonObject body) {
            return new Answer(200, body);
        }
    }

    static Router router(
            Vertx vertx,
            Function<String, EntityRef<AccountMessage>> accounts,
            Function<String, EntityRef<CommandMessage>> commands,
            Statements statements) {
        var api = new AccountsApi(accounts, commands, statements);
        var router = Router.router(vertx);
        router.route().handler(Web::refuseStrangePaths);
        on(router, HttpMethod.GET, "/accounts/(?<id>[^/]*)", api::get);
        on(router, HttpMethod.POST, "/accounts/(?<id>[^/]*)/deposit/(?<amount>[^/]*)", api::deposit);
        on(router, HttpMethod.POST, "/accounts/(?<id>[^/]*)/withdraw/(?<amount>[^/]*)", api::withdraw);
        on(router, HttpMethod.POST, "/transfers/(?<id>[^/]*)/(?<to>[^/]*)/(?<amount>[^/]*)", api::transfer);
        on(router, HttpMethod.GET, "/statements/(?<id>[^/]*)", api::statement);
        router.route()
                .last()
                .handler(request -> Web.answer(
                        request,
                        HttpFailure.notFound("no resource " + request.request().path())));
        return router;
    }

    private static void on(
            Router router, HttpMethod method, String path, Function<RoutingContext, Future<Answer>> resource) {
        router.routeWithRegex(method, path).handler(request -> answer(request, resource));
        router.routeWithRegex(path).handler(request -> {
            request.response().putHeader("Allow", method.name());
            Web.answer(
                    request,
                    HttpFailure.methodNotAllowed(
                            "use " + method + " for " + request.request().path()));
        });
    }

    private Future<Answer> get(RoutingContext request) {
        return account(request)
                .ask(new AccountMessage.Get(), timeout(request))
                .map(AccountView::toJson)
                .map(Answer::of);
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
        return ask(request, transfer).map(source -> new Answer(202, source));
    }

    private Future<Answer> statement(RoutingContext request) {
        return statements.of(account(request).id()).map(Answer::of);
    }

    private EntityRef<AccountMessage> account(RoutingContext request) {
        return accounts.apply(request.pathParam("id"));
    }

    private static long amount(RoutingContext request) {
        return Web.number(request.pathParam("amount"), "amount", 1, LARGEST_AMOUNT);
    }

    /** The account executes a command with an id once; the client repeats it, on any node. */
    private Future<JsonObject> ask(RoutingContext request, Ask<AccountView> command) {
        var account = account(request);
        String key = request.request().getHeader("Command-Id");
        String made = request.request().getHeader("Command-Time");
        long end = System.nanoTime() + timeout(request).toNanos();
        if (key == null) {
            return account.ask(command, timeout(request)).map(AccountView::toJson);
        }
        var id = commandId(key, made == null ? 0 : Web.number(made, "Command-Time", 0, LATEST_COMMAND));
        return made == null ? once.ask(account, command, key, end) : OnceById.ask(account, command, id, end);
    }

    private static CommandId commandId(String key, long made) {
        try {
            return new CommandId(key, made);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Command-Id: " + e.getMessage(), e);
        }
    }

    private static Duration timeout(RoutingContext request) {
        List<String> given = request.queryParam("timeoutMs");
        return given.isEmpty()
                ? DEFAULT_TIMEOUT
                : Duration.ofMillis(Web.number(given.get(0), "timeoutMs", 1, LONGEST_TIMEOUT));
    }

    private static void answer(RoutingContext request, Function<RoutingContext, Future<Answer>> resource) {
        try {
            resource.apply(request)
                    .onSuccess(answer -> Web.answer(request, answer.status(), answer.body()))
                    .onFailure(failure -> Web.answer(request, failure(failure)));
        } catch (IllegalArgumentException e) {
            Web.answer(request, HttpFailure.badRequest(e.getMessage()));
        } catch (ShardingException e) {
            Web.answer(request, failure(e));
        }
    }

    private static HttpFailure failure(Throwable failure) {
        return failure instanceof ShardingException sharding
                        && sharding.entityCode() != null
                        && CONFLICTS.contains(sharding.entityCode())
                ? new HttpFailure(409, sharding.entityCode(), sharding.getMessage())
                : HttpFailure.of(failure);
    }
}
