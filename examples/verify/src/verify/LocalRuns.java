package verify;

import io.shardbus.verify.Fault;
import io.shardbus.verify.FaultSession;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Faults on clusters that this command starts itself. */
final class LocalRuns {
    private static final int NODES = 3;

    private final Arguments arguments;
    private final int counters;
    private final int slow;
    private final boolean namespaces;
    private final Plan plan;
    private final Report report;
    private final Totals totals = new Totals();

    LocalRuns(Arguments arguments) {
        this.arguments = arguments;
        this.report = new Report(arguments.text("--log", ""));
        this.counters = arguments.number("--counters", 1, 24);
        this.slow = arguments.number("--slow", 1, Integer.MAX_VALUE);
        var reason = NetworkNamespaces.unavailable();
        this.namespaces = reason == null;
        var named = arguments.text("--faults", "");
        this.plan = new Plan(arguments.seed(), named.isEmpty() ? possible() : Fault.parse(named));
        if (!namespaces && plan.faults().stream().anyMatch(Fault::needsNet)) {
            throw new IllegalArgumentException("no links can be cut: " + reason);
        }
        if (plan.faults().stream().anyMatch(fault -> fault.is(Fault.Kind.SERVER))) {
            throw new IllegalArgumentException("counters have no server");
        }
        if (reason != null) {
            System.out.println("without faults of the network: " + reason);
        }
    }

    /** The usual ones, as far as this machine can do them. */
    private List<Fault> possible() {
        return Fault.usual().stream()
                .filter(fault -> namespaces || !fault.needsNet())
                .toList();
    }

    /** One cluster, faults for some time. */
    boolean forSeconds() {
        int nodes = arguments.word(0, "NODES", 2, NODES);
        int seconds = arguments.word(1, "SECONDS", 1, 60);
        try (var cluster = start(nodes)) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            try (var session = FaultSession.start(cluster, counters)) {
                boolean good = true;
                for (int run = 1; good && (run == 1 || System.nanoTime() < end); run++) {
                    good = oneRun(run, cluster, session);
                }
                finish(session, Path.of("verify-seed-" + plan.seed()));
            }
        }
        return totals.verdict();
    }

    /** So many faults, on a new cluster now and then. */
    boolean campaign() {
        int runs = arguments.word(0, "RUNS", 1, 100);
        int perCluster = arguments.number("--per-cluster", 1, 5);
        for (int first = 1; first <= runs; first += perCluster) {
            cluster(first, Math.min(runs, first + perCluster - 1));
        }
        totals.table().forEach(report::say);
        return totals.verdict();
    }

    private void cluster(int first, int last) {
        try (var cluster = start(arguments.number("--nodes", 2, NODES));
                var session = FaultSession.start(cluster, counters)) {
            boolean good = true;
            int run = first;
            for (; good && run <= last; run++) {
                good = oneRun(run, cluster, session);
            }
            finish(session, Path.of("verify-seed-" + plan.seed() + "-run-" + (run - 1)));
            // what is left begins with a new cluster
            if (run <= last) {
                cluster(run, last);
            }
        } catch (IllegalStateException | AssertionError e) {
            report.say("the cluster for runs " + first + " to " + last + " was given up: " + e);
            totals.givenUp();
        }
    }

    private LocalCluster start(int nodes) {
        return LocalCluster.start(namespaces ? NetworkNamespaces.create(nodes) : Hosts.loopback(nodes), Map.of());
    }

    private boolean oneRun(int number, LocalCluster cluster, FaultSession session) {
        double load = Report.load();
        var run = session.run(plan.fault(number), plan.target(number, cluster));
        totals.add(run);
        report.run(number, plan.seed(), load, run);
        report.say("    " + run.seen().failures());
        report.list("    violation: ", run.wrong());
        report.list("    no answer: ", run.silent());
        if (!run.isGood() || run.seen().silenceMs() >= slow) {
            session.save(Path.of("verify-seed-" + plan.seed() + "-run-" + number));
        }
        return run.isGood();
    }

    private void finish(FaultSession session, Path evidence) {
        var wrong = session.end();
        totals.violations(wrong.size());
        if (!wrong.isEmpty()) {
            report.list("violation: ", wrong);
            session.save(evidence);
            report.say("history and logs are in " + evidence);
        }
    }
}
