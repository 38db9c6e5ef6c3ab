package verify;

import io.shardbus.verify.AccountRun;
import io.shardbus.verify.AccountSession;
import io.shardbus.verify.Example;
import io.shardbus.verify.Fault;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Faults on clusters of accounts that this command starts itself, each with a new store. */
final class AccountRuns {
    private static final int NODES = 3;

    private final Arguments arguments;
    private final String store;
    private final Plan plan;
    private final Report report;
    private final boolean namespaces;
    private final AccountTotals totals = new AccountTotals();

    AccountRuns(Arguments arguments) {
        this.arguments = arguments;
        this.store = arguments.text("--store", "sqlite");
        this.report = new Report(arguments.text("--log", ""));
        var reason = NetworkNamespaces.unavailable();
        this.namespaces = reason == null;
        this.plan = new Plan(arguments.seed(), faults(reason));
        if (reason != null) {
            System.out.println("without faults of the network: " + reason);
        }
    }

    private List<Fault> faults(@Nullable String reason) {
        var possible = AccountStore.faults(store).stream()
                .filter(fault -> namespaces || !fault.needsNet())
                .toList();
        var named = arguments.text("--faults", "");
        var faults = named.isEmpty() ? possible : Fault.parse(named);
        if (!namespaces && faults.stream().anyMatch(Fault::needsNet)) {
            throw new IllegalArgumentException("no links can be cut: " + reason);
        }
        if (store.equals("sqlite") && faults.stream().anyMatch(fault -> fault.is(Fault.Kind.SERVER))) {
            throw new IllegalArgumentException("a file has no server");
        }
        return faults;
    }

    /** So many faults, on a new cluster with a new store now and then. */
    boolean campaign() {
        int runs = arguments.word(0, "RUNS", 1, 20);
        int perCluster = arguments.number("--per-cluster", 1, 5);
        for (int run = 1; run <= runs; ) {
            run = cluster(run, Math.min(runs, run + perCluster - 1));
        }
        totals.table().forEach(report::say);
        return totals.verdict();
    }

    /** The first run that is left; what is wrong ends a cluster. */
    private int cluster(int first, int last) {
        var hosts = namespaces ? NetworkNamespaces.create(NODES) : Hosts.loopback(NODES);
        int run = first;
        try (var opened = AccountStore.open(store, hosts);
                var cluster = start(hosts, opened);
                var session = AccountSession.start(
                        cluster,
                        arguments.number("--accounts", 2, 24),
                        arguments.number("--clients", 1, 24),
                        31L * plan.seed() + first)) {
            boolean good = true;
            for (; good && run <= last; run++) {
                good = oneRun(run, cluster, session, opened);
            }
            return run;
        } catch (IllegalStateException | UncheckedIOException | AssertionError e) {
            givenUp(run, e, List.of());
            return run + 1;
        } finally {
            hosts.close();
        }
    }

    private LocalCluster start(Hosts hosts, AccountStore opened) {
        return LocalCluster.start(Example.ACCOUNTS, hosts, Map.of("SHARDBUS_STORE", opened.named()), opened::restart);
    }

    private void givenUp(int run, Throwable failure, List<String> wrong) {
        report.say("the cluster was given up in run " + run + ": "
                + failure.toString().lines().findFirst().orElseThrow() + "; logs are in target/counter-nodes");
        report.list("    violation: ", wrong);
        totals.givenUp(wrong.size());
    }

    private boolean oneRun(int number, LocalCluster cluster, AccountSession session, AccountStore opened) {
        double load = Report.load();
        AccountRun run;
        try {
            run = session.run(plan.fault(number), plan.target(number, cluster));
        } catch (IllegalStateException | UncheckedIOException | AssertionError e) {
            givenUp(number, e, session.wrongAnswers());
            save(number, session, opened);
            return false;
        }
        totals.add(run);
        report.run(number, plan.seed(), load, run);
        report.say("    " + run.seen().failures());
        report.list("    violation: ", run.wrong());
        report.list("    no answer: ", run.silent());
        if (!run.isGood()) {
            save(number, session, opened);
        }
        return run.isGood();
    }

    private void save(int number, AccountSession session, AccountStore opened) {
        var evidence = Path.of("verify-seed-" + plan.seed() + "-run-" + number);
        session.save(evidence);
        opened.save(evidence);
        report.say("history and logs are in " + evidence);
    }
}
