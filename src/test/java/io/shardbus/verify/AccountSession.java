package io.shardbus.verify;

import io.shardbus.history.AccountCommand;
import io.shardbus.history.AccountCommand.Sending;
import io.shardbus.history.AccountHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Clients use the accounts of a cluster on this machine, while one fault after the other happens to it. After each
 * fault they rest until all money has arrived, and the whole history is judged.
 */
public final class AccountSession implements AutoCloseable {
    private static final Duration CALM = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(60);
    private static final Duration LONGEST_SETTLEMENT = Duration.ofSeconds(30);

    private final LocalCluster cluster;
    private final AccountClients clients;
    private final List<Integer> nodes;
    private long settled;

    private AccountSession(LocalCluster cluster, AccountClients clients) {
        this.cluster = cluster;
        this.clients = clients;
        this.nodes = IntStream.range(0, cluster.size()).boxed().toList();
    }

    /**
     * Starts clients of accounts that were not used before. The session does not close the cluster.
     *
     * @param accounts at least 2
     * @param seed of what the clients send
     */
    public static AccountSession start(LocalCluster cluster, int accounts, int clients, long seed) {
        var ids = IntStream.rangeClosed(1, accounts)
                .mapToObj(number -> "account-" + number)
                .toList();
        var session =
                new AccountSession(cluster, new AccountClients("seed-" + seed, cluster.urls(), ids, clients, seed));
        session.clients.resume();
        return session;
    }

    /** Lets a fault happen to a node, and waits until all is well again, or does not get well in time. */
    public AccountRun run(Fault fault, int target) {
        boolean coordinator = cluster.coordinator() == target;
        Waiting.pass(CALM);
        long from = System.nanoTime();
        fault.happenTo(target, cluster, (node, since) -> silentWithout(node).isEmpty());
        boolean whole = Waiting.comesTrue(LONGEST_RETURN, cluster::isWhole);
        Waiting.pass(CALM); // commands that nodes which were away execute
        boolean answered = clients.pause(LONGEST_RETURN);
        var silent = new ArrayList<>(silent());
        if (!answered) {
            clients.commands().stream()
                    .filter(command -> !command.isAnswered())
                    .forEach(command -> silent.add("not answered: " + command));
        }
        long rest = System.nanoTime();
        var wrong = untilNothingIsWrong();
        long settledMs = TimeUnit.NANOSECONDS.toMillis(settled - rest);
        if (wrong.isEmpty()) {
            Waiting.pass(CALM); // what comes twice may come the second time a moment later
            wrong = wrong();
        }
        var seen = AccountRun.Seen.of(clients.commands(), from, rest);
        if (answered) {
            clients.resume();
        }
        return new AccountRun(fault, target, coordinator, seen, settledMs, wrong, silent, whole);
    }

    private List<String> silentWithout(int node) {
        return clients.questions()
                .silent(nodes.stream().filter(index -> index != node - 1).toList());
    }

    /** Which accounts do not answer through every node, after a long wait. */
    private List<String> silent() {
        List<List<String>> last = new ArrayList<>();
        Waiting.comesTrue(LONGEST_RETURN, () -> {
            last.add(clients.questions().silent(nodes));
            return last.get(last.size() - 1).isEmpty();
        });
        return last.get(last.size() - 1);
    }

    /** What is still wrong after the time that transfers may take. */
    private List<String> untilNothingIsWrong() {
        List<List<String>> last = new ArrayList<>();
        Waiting.comesTrue(LONGEST_SETTLEMENT, () -> {
            last.add(wrong());
            settled = System.nanoTime();
            return last.get(last.size() - 1).isEmpty();
        });
        return last.get(last.size() - 1);
    }

    private List<String> wrong() {
        var rest = clients.questions().rest();
        if (rest == null) {
            return Stream.concat(Stream.of("not all accounts and statements answer"), wrongAnswers().stream())
                    .toList();
        }
        return AccountHistory.wrongIn(clients.commands(), clients.readings(), rest);
    }

    /** What the answers alone show that must not be, of a cluster whose accounts cannot be asked. */
    public List<String> wrongAnswers() {
        return AccountHistory.wrongIn(clients.commands(), clients.readings());
    }

    /** Keeps the history, the statements, the logs of all nodes, and what the threads of those that live do. */
    public void save(Path directory) {
        var lines = new ArrayList<String>();
        lines.add("id\tkind\taccount\tto\tamount\ttimed\tnode\tsent\tended\toutcome\tanswer or reason");
        clients.commands().forEach(command -> command.sendings().forEach(sending -> lines.add(line(command, sending))));
        clients.readings()
                .forEach(reading -> lines.add("\tread\t" + reading.state().id() + "\t\t\t\t\t" + reading.sent() + "\t"
                        + reading.answered() + "\tDONE\t" + reading.state()));
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve("history.tsv"), lines);
            Files.writeString(
                    directory.resolve("accounts.txt"),
                    String.valueOf(clients.questions().rest()));
            cluster.save(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(AccountCommand command, Sending sending) {
        return String.join(
                "\t",
                command.id(),
                command.kind().text(),
                command.account(),
                String.valueOf(command.to()),
                Long.toString(command.amount()),
                Boolean.toString(command.timed()),
                sending.node(),
                Long.toString(sending.sent()),
                Long.toString(sending.ended()),
                sending.outcome().name(),
                sending.state() == null ? sending.reason() : sending.state().toString());
    }

    @Override
    public void close() {
        clients.close();
    }
}
