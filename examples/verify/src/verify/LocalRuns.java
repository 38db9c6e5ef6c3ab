package verify;

import io.shardbus.verify.Fault;
import io.shardbus.verify.FaultSession;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Faults on clusters that this command starts itself. */
final class LocalRuns {
    private static final int NODES = 3;

    private final Arguments arguments;
    private final int seed;
    private final int counters;
    private final int slow;
    private final boolean namespaces;
    private final List<Fault> faults;
    private final Totals totals = new Totals();

    LocalRuns(Arguments arguments) {
        this.arguments = arguments;
        this.seed = arguments.number("--seed", 0, new Random().nextInt(1_000_000));
        this.counters = arguments.number("--counters", 1, 24);
        this.slow = arguments.number("--slow", 1, Integer.MAX_VALUE);
        var reason = NetworkNamespaces.unavailable();
        this.namespaces = reason == null;
        var named = arguments.text("--faults", "");
        this.faults = named.isEmpty() ? possible() : Fault.parse(named);
        if (!namespaces && faults.stream().anyMatch(Fault::needsNet)) {
            throw new IllegalArgumentException("no links can be cut: " + reason);
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
                finish(session, Path.of("verify-seed-" + seed));
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
        totals.table().forEach(this::say);
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
            finish(session, Path.of("verify-seed-" + seed + "-run-" + (run - 1)));
            // what is left begins with a new cluster
            if (run <= last) {
                cluster(run, last);
            }
        } catch (IllegalStateException | AssertionError e) {
            say("the cluster for runs " + first + " to " + last + " was given up: " + e);
            totals.givenUp();
        }
    }

    private LocalCluster start(int nodes) {
        return LocalCluster.start(namespaces ? NetworkNamespaces.create(nodes) : Hosts.loopback(nodes), Map.of());
    }

    private boolean oneRun(int number, LocalCluster cluster, FaultSession session) {
        var fault = fault(number);
        var random = new SplittableRandom(31L * seed + number);
        int coordinator = cluster.coordinator();
        int target = random.nextBoolean() && coordinator != 0 ? coordinator : 1 + random.nextInt(cluster.size());
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        var run = session.run(fault, target);
        totals.add(run);
        say(String.format(Locale.ROOT, "%s run=%d seed=%d load=%.1f %s", now(), number, seed, load, run));
        say("    " + run.seen().failures());
        run.wrong().stream().limit(20).forEach(wrong -> say("    violation: " + wrong));
        run.silent().stream().limit(20).forEach(silent -> say("    no answer: " + silent));
        if (!run.isGood() || run.seen().silenceMs() >= slow) {
            session.save(Path.of("verify-seed-" + seed + "-run-" + number));
        }
        return run.isGood();
    }

    /** Each fault once in a random order, then again in another one. */
    private Fault fault(int run) {
        var order = new ArrayList<>(faults);
        int round = (run - 1) / faults.size();
        Collections.shuffle(order, new Random(new SplittableRandom(31L * seed + round).nextLong()));
        return order.get((run - 1) % faults.size());
    }

    private static LocalTime now() {
        return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    }

    private void finish(FaultSession session, Path evidence) {
        var wrong = session.end();
        totals.violations(wrong.size());
        if (!wrong.isEmpty()) {
            wrong.stream().limit(20).forEach(line -> say("violation: " + line));
            session.save(evidence);
            say("history and logs are in " + evidence);
        }
    }

    private void say(String line) {
        System.out.println(line);
        var log = arguments.text("--log", "");
        if (!log.isEmpty()) {
            append(Path.of(log), line);
        }
    }

    private static void append(Path log, String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
