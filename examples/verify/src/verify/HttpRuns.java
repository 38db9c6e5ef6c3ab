package verify;

import io.shardbus.history.CounterHistory;
import io.shardbus.verify.CounterClients;
import io.shardbus.verify.Seen;
import io.shardbus.verify.Waiting;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Clients of a cluster that somebody else runs; faults are theirs, or commands that are given. */
final class HttpRuns {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration CALM = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(60);

    private final Arguments arguments;
    private final List<URI> nodes;

    HttpRuns(Arguments arguments) {
        this.arguments = arguments;
        this.nodes = arguments.words().stream().map(HttpRuns::url).toList();
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("which nodes? Their URLs are missing");
        }
    }

    private static URI url(String text) {
        if (!text.matches("http://[^/]+/?")) {
            throw new IllegalArgumentException("'" + text + "' is not like http://host:port");
        }
        return URI.create(text.endsWith("/") ? text : text + "/");
    }

    boolean run() {
        // ids that were not used: their counters begin at 0
        var prefix = "verify-" + UUID.randomUUID().toString().substring(0, 8) + "-";
        var ids = IntStream.rangeClosed(1, arguments.number("--counters", 1, 24))
                .mapToObj(i -> prefix + i)
                .toList();
        long start = System.nanoTime();
        try (var clients = CounterClients.start(nodes, ids, PAUSE)) {
            boolean reached = allAnswer(clients, start, "before any fault");
            var commands = arguments.all("--fault");
            commands.forEach(command -> fault(command, clients));
            Waiting.pass(Duration.ofSeconds(arguments.number("--seconds", 0, commands.isEmpty() ? 60 : 5)));
            boolean back = allAnswer(clients, System.nanoTime(), "at the end");
            int silent = clients.silentSince(start).size();
            long end = System.nanoTime();
            clients.stop();
            return verdict(
                    clients, Seen.of(ids, clients.exchanges(), start, end), reached && back ? 0 : Math.max(1, silent));
        }
    }

    private static boolean allAnswer(CounterClients clients, long since, String when) {
        boolean all = Waiting.comesTrue(
                LONGEST_RETURN, () -> clients.silentSince(since).isEmpty());
        if (!all) {
            clients.silentSince(since).forEach(silent -> System.out.println("no answer " + when + ": " + silent));
        }
        return all;
    }

    /** A command that does something to the cluster and ends when it is undone. */
    private static void fault(String command, CounterClients clients) {
        Waiting.pass(CALM);
        long from = System.nanoTime();
        int code = execute(command);
        allAnswer(clients, System.nanoTime(), "after " + command);
        System.out.println("fault '" + command + "' gave " + code + ": "
                + Seen.of(clients.ids(), clients.exchanges(), from, System.nanoTime()));
    }

    private static int execute(String command) {
        try {
            return new ProcessBuilder("bash", "-c", command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command, e);
        }
    }

    private boolean verdict(CounterClients clients, Seen seen, int silent) {
        var wrong = CounterHistory.wrongIn(clients.exchanges());
        wrong.stream().limit(50).forEach(line -> System.out.println("violation: " + line));
        System.out.println("failures: " + seen.failures());
        boolean good = wrong.isEmpty() && silent == 0;
        System.out.println("verify ok=" + seen.ok() + " failed=" + seen.failed() + " faults="
                + arguments.all("--fault").size() + " violations=" + wrong.size() + " silent=" + silent + " silence_ms="
                + seen.silenceMs() + " verdict=" + (good ? "good" : "bad"));
        return good;
    }
}
