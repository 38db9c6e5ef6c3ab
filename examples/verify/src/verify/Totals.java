package verify;

import io.shardbus.verify.Fault;
import io.shardbus.verify.FaultRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The sum of all runs, and the verdict. */
final class Totals {
    private final List<FaultRun> runs = new ArrayList<>();
    private int violations;
    private int givenUp;

    void add(FaultRun run) {
        runs.add(run);
    }

    /** What the whole history of a cluster shows. */
    void violations(int count) {
        violations += count;
    }

    /** A cluster could not be used to the end. */
    void givenUp() {
        givenUp++;
    }

    /** A table by faults, in Markdown. */
    List<String> table() {
        var head = Stream.of(
                "| Fault | Runs | On the coordinator | Answered | Failed | Silence ms: median | p90 | most | "
                        + "After it: most |"
                        + " Violations | Silent | Not whole |",
                "|---|---|---|---|---|---|---|---|---|---|---|---|");
        return Stream.concat(head, runs.stream().map(FaultRun::fault).distinct().flatMap(this::row))
                .toList();
    }

    private Stream<String> row(Fault fault) {
        var its = runs.stream().filter(run -> run.fault().equals(fault)).toList();
        if (its.isEmpty()) {
            return Stream.of();
        }
        var silences =
                its.stream().mapToLong(run -> run.seen().silenceMs()).sorted().toArray();
        var cells = LongStream.of(
                its.size(),
                its.stream().filter(FaultRun::onCoordinator).count(),
                its.stream().mapToLong(run -> run.seen().ok()).sum(),
                its.stream().mapToLong(run -> run.seen().failed()).sum(),
                silences[silences.length / 2],
                silences[silences.length * 9 / 10],
                silences[silences.length - 1],
                its.stream().mapToLong(FaultRun::backMs).max().orElse(0),
                its.stream().filter(run -> !run.wrong().isEmpty()).count(),
                its.stream().filter(run -> !run.silent().isEmpty()).count(),
                its.stream().filter(run -> !run.whole()).count());
        var row = new StringBuilder("| " + fault.text() + " |");
        cells.forEach(cell -> row.append(' ').append(cell).append(" |"));
        return Stream.of(row.toString());
    }

    /** Prints the last line; true when nothing is wrong. */
    boolean verdict() {
        long silent = runs.stream().mapToLong(run -> run.silent().size()).sum();
        long broken = givenUp + runs.stream().filter(run -> !run.whole()).count();
        boolean good = violations == 0 && silent == 0 && broken == 0;
        System.out.println(
                "verify ok=" + sum(true) + " failed=" + sum(false) + " faults=" + runs.size() + " violations="
                        + violations + " silent=" + silent + " not_whole=" + broken + " silence_ms="
                        + IntStream.range(0, runs.size())
                                .mapToLong(i -> runs.get(i).seen().silenceMs())
                                .max()
                                .orElse(0)
                        + " verdict=" + (good ? "good" : "bad"));
        return good;
    }

    private long sum(boolean ok) {
        return runs.stream()
                .mapToLong(run -> ok ? run.seen().ok() : run.seen().failed())
                .sum();
    }
}
