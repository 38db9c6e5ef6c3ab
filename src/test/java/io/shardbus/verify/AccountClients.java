package io.shardbus.verify;

import io.shardbus.history.AccountCommand;
import io.shardbus.history.AccountCommand.Kind;
import io.shardbus.history.AccountCommand.Outcome;
import io.shardbus.history.AccountCommand.Sending;
import io.shardbus.history.AccountReading;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Clients of examples/persistence, which pay in, pay out, transfer and ask. Each has one request under way. It sends a
 * command whose outcome is unknown again, with the same Command-Id through the next node, until it is answered; and now
 * and then one that was answered. Each command has an amount of its own, and accounts that no other client uses.
 */
final class AccountClients implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration BEFORE_THE_NEXT_SENDING = Duration.ofMillis(200);
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);
    private static final int ONE_QUESTION_IN = 4;
    private static final int ONE_REPETITION_IN = 4;
    private static final int ONE_TIMED_IN = 3;
    /** Of a hundred commands; the others are transfers. */
    private static final int DEPOSITS = 45;

    private static final int WITHDRAWALS = 20;

    private final String name;
    private final List<URI> nodes;
    private final List<String> accounts;
    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong amounts = new AtomicLong();
    private final AtomicInteger busy = new AtomicInteger();
    private final Queue<AccountCommand> commands = new ConcurrentLinkedQueue<>();
    private final Queue<AccountReading> readings = new ConcurrentLinkedQueue<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(2, task -> {
        var thread = new Thread(task, "account-clients");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .executor(executor)
            .build();
    private final AccountQuestions questions;
    private volatile boolean paused = true;

    /** @param name begins their command ids and is in no other session's */
    AccountClients(String name, List<URI> nodes, List<String> accounts, int count, long seed) {
        this.name = name;
        this.nodes = List.copyOf(nodes);
        this.accounts = List.copyOf(accounts);
        this.questions = new AccountQuestions(http, this.nodes, this.accounts);
        for (int client = 0; client < count; client++) {
            clients.add(new Client(client % nodes.size(), new Random(31L * seed + client)));
        }
    }

    /** Begins to send, at first or after {@link #pause}. */
    void resume() {
        paused = false;
        busy.set(clients.size());
        for (int client = 0; client < clients.size(); client++) {
            after(PAUSE.multipliedBy(client).dividedBy(clients.size()), clients.get(client)::next);
        }
    }

    /** Begins no command any more; whether those under way were answered in time. */
    boolean pause(Duration atMost) {
        paused = true;
        return Waiting.comesTrue(atMost, () -> busy.get() == 0);
    }

    AccountQuestions questions() {
        return questions;
    }

    /** All that were begun so far. */
    List<AccountCommand> commands() {
        return List.copyOf(commands);
    }

    List<AccountReading> readings() {
        return List.copyOf(readings);
    }

    private void after(Duration time, Runnable task) {
        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS, executor)
                .execute(task);
    }

    @Override
    public void close() {
        paused = true;
        executor.shutdownNow();
    }

    /** @param made milliseconds since 1970; what its sendings say, 0 where they do not */
    private record Draft(AccountCommand command, long made) {}

    private final class Client {
        private final Random random;
        private int node;

        Client(int node, Random random) {
            this.node = node;
            this.random = random;
        }

        void next() {
            if (paused) {
                busy.decrementAndGet();
            } else if (random.nextInt(ONE_QUESTION_IN) == 0) {
                ask();
            } else {
                var draft = draft();
                commands.add(draft.command());
                send(draft);
            }
        }

        private void ask() {
            long sent = System.nanoTime();
            var unused = questions.state(node, anyAccount()).thenAccept(state -> {
                if (state == null) {
                    node = (node + 1) % nodes.size();
                } else {
                    readings.add(new AccountReading(sent, System.nanoTime(), state));
                }
                after(PAUSE, this::next);
            });
        }

        private String anyAccount() {
            return accounts.get(random.nextInt(accounts.size()));
        }

        private Draft draft() {
            int drawn = random.nextInt(100);
            var kind = drawn < DEPOSITS ? Kind.DEPOSIT : drawn < DEPOSITS + WITHDRAWALS ? Kind.WITHDRAW : Kind.TRANSFER;
            int account = random.nextInt(accounts.size());
            int other = (account + 1 + random.nextInt(accounts.size() - 1)) % accounts.size();
            long amount = amounts.incrementAndGet();
            boolean timed = random.nextInt(ONE_TIMED_IN) == 0;
            var command = new AccountCommand(
                    name + "-" + amount,
                    kind,
                    accounts.get(account),
                    kind == Kind.TRANSFER ? accounts.get(other) : null,
                    amount,
                    timed,
                    new CopyOnWriteArrayList<>());
            return new Draft(command, timed ? System.currentTimeMillis() : 0);
        }

        private void send(Draft draft) {
            var through = nodes.get(node);
            var request = HttpRequest.newBuilder(AccountQuestions.of(through, path(draft.command())))
                    .method("POST", HttpRequest.BodyPublishers.noBody())
                    .header("Command-Id", draft.command().id())
                    .timeout(LONGEST_REQUEST);
            if (draft.made() != 0) {
                request.header("Command-Time", Long.toString(draft.made()));
            }
            long sent = System.nanoTime();
            var unused = http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                    .handle((answer, failure) -> sending(through, sent, answer, failure))
                    .thenAccept(sending -> goOn(draft, sending));
        }

        private void goOn(Draft draft, Sending sending) {
            var sendings = draft.command().sendings();
            sendings.add(sending);
            if (sending.outcome() == Outcome.UNKNOWN) {
                node = (node + 1) % nodes.size();
                after(BEFORE_THE_NEXT_SENDING, () -> send(draft));
            } else if (isSentAgain(draft.command(), sending)) {
                node = (node + 1) % nodes.size();
                after(Duration.ZERO, () -> send(draft));
            } else {
                after(PAUSE, this::next);
            }
        }

        /** Once, though its answer is known; not where a refusal is not kept. */
        private boolean isSentAgain(AccountCommand command, Sending sending) {
            boolean kept =
                    sending.outcome() == Outcome.DONE || (sending.outcome() == Outcome.REFUSED && !command.timed());
            long answers = command.sendings().stream()
                    .filter(one -> one.outcome() != Outcome.UNKNOWN)
                    .count();
            return kept && answers == 1 && random.nextInt(ONE_REPETITION_IN) == 0;
        }
    }

    private static String path(AccountCommand command) {
        return command.kind() == Kind.TRANSFER
                ? "/transfers/" + command.account() + "/" + command.to() + "/" + command.amount()
                : "/accounts/" + command.account() + "/" + command.kind().text() + "/" + command.amount();
    }

    private static Sending sending(
            URI through, long sent, @Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
        long now = System.nanoTime();
        if (answer == null) {
            var cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return new Sending(through.toString(), sent, now, Outcome.UNKNOWN, null, String.valueOf(cause));
        }
        int status = answer.statusCode();
        var state = status == 200 || status == 202 ? AccountQuestions.state(answer.body()) : null;
        if (state != null) {
            return new Sending(through.toString(), sent, now, Outcome.DONE, state, "");
        }
        var json = AccountQuestions.json(answer.body());
        String error = json == null ? answer.body() : json.getString("error", "");
        return new Sending(through.toString(), sent, now, outcome(status, error), null, status + " " + error);
    }

    private static Outcome outcome(int status, String error) {
        return switch (status) {
            case 503, 504 -> Outcome.UNKNOWN;
            case 409 ->
                switch (error) {
                    case "INSUFFICIENT" -> Outcome.REFUSED;
                    case "COMMAND_TOO_OLD" -> Outcome.TOO_OLD;
                    default -> Outcome.WRONG;
                };
            default -> Outcome.WRONG;
        };
    }
}
