package verify;

import io.shardbus.verify.AccountRun;
import io.shardbus.verify.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The sum of all runs with accounts, and the verdict. */
final class AccountTotals {
    private final List<AccountRun> runs = new ArrayList<>();
    private int givenUp;
    private long wrongThere;

    void add(AccountRun run) {
        runs.add(run);
    }

    /**
     * A cluster could not be used to the end.
     *
     * @param wrong how much its history shows that must not be
     */
    void givenUp(int wrong) {
        givenUp++;
        wrongThere += wrong;
    }

    /** A table by faults, in Markdown. */
    List<String> table() {
        var head = Stream.of(
                "| Fault | Runs | On the coordinator | Done | Refused | Sent again | Too old | Longest ms: median |"
                        + " most | Settled ms: most | Violations | Silent | Not whole |",
                "|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        return Stream.concat(
                        head, runs.stream().map(AccountRun::fault).distinct().map(this::row))
                .toList();
    }

    private String row(Fault fault) {
        var its = runs.stream().filter(run -> run.fault().equals(fault)).toList();
        var longest =
                its.stream().mapToLong(run -> run.seen().longestMs()).sorted().toArray();
        var row = new StringBuilder("| " + fault.text() + " |");
        LongStream.of(
                        its.size(),
                        its.stream().filter(AccountRun::onCoordinator).count(),
                        sum(its, AccountRun.Seen::done),
                        sum(its, AccountRun.Seen::refused),
                        sum(its, AccountRun.Seen::again),
                        sum(its, AccountRun.Seen::tooOld),
                        longest[longest.length / 2],
                        longest[longest.length - 1],
                        its.stream().mapToLong(AccountRun::settledMs).max().orElse(0),
                        its.stream().filter(run -> !run.wrong().isEmpty()).count(),
                        its.stream().filter(run -> !run.silent().isEmpty()).count(),
                        its.stream().filter(run -> !run.whole()).count())
                .forEach(cell -> row.append(' ').append(cell).append(" |"));
        return row.toString();
    }

    private static long sum(List<AccountRun> runs, ToLongFunction<AccountRun.Seen> count) {
        return runs.stream().map(AccountRun::seen).mapToLong(count).sum();
    }

    /** Prints the last line; true when nothing is wrong. */
    boolean verdict() {
        long violations =
                wrongThere + runs.stream().mapToLong(run -> run.wrong().size()).sum();
        long silent = runs.stream().mapToLong(run -> run.silent().size()).sum();
        long broken = givenUp + runs.stream().filter(run -> !run.whole()).count();
        boolean good = violations == 0 && silent == 0 && broken == 0;
        System.out.println("verify done=" + sum(runs, AccountRun.Seen::done) + " refused="
                + sum(runs, AccountRun.Seen::refused) + " again=" + sum(runs, AccountRun.Seen::again) + " too_old="
                + sum(runs, AccountRun.Seen::tooOld) + " faults=" + runs.size() + " violations=" + violations
                + " silent=" + silent + " not_whole=" + broken + " settled_ms="
                + runs.stream().mapToLong(AccountRun::settledMs).max().orElse(0) + " verdict="
                + (good ? "good" : "bad"));
        return good;
    }
}
