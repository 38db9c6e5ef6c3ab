package io.shardbus.verify;

import io.shardbus.history.AccountCommand;
import io.shardbus.history.AccountCommand.Outcome;
import io.shardbus.history.AccountCommand.Sending;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What came of one fault to a cluster of accounts.
 *
 * @param onCoordinator whether it happened to the coordinator
 * @param seen what became of commands meanwhile
 * @param settledMs from the moment at which all nodes were one cluster again, and all commands were answered, until
 *     nothing was wrong, so all money had arrived
 * @param wrong what the history since the start of the cluster shows that must not be
 * @param silent accounts that did not answer again, each with the node through which they were asked, and commands that
 *     were not answered
 * @param whole whether all nodes are one cluster again
 */
public record AccountRun(
        Fault fault,
        int target,
        boolean onCoordinator,
        Seen seen,
        long settledMs,
        List<String> wrong,
        List<String> silent,
        boolean whole) {
    /**
     * What became of the commands that were under way in a span of time.
     *
     * @param done commands that were answered with an account
     * @param refused commands that the account refused
     * @param again sendings of commands that had been sent before
     * @param tooOld commands whose outcome stays unknown
     * @param longestMs the longest time from the first sending of a command to its answer
     * @param failures how often which failure of a sending was met
     */
    public record Seen(long done, long refused, long again, long tooOld, long longestMs, Map<String, Long> failures) {
        /** @param from in nanoseconds of this JVM, as {@code to} */
        static Seen of(Collection<AccountCommand> commands, long from, long to) {
            var present = commands.stream()
                    .filter(command -> command.sendings().stream().anyMatch(sending -> sending.ended() >= from))
                    .toList();
            return new Seen(
                    count(present, Outcome.DONE),
                    count(present, Outcome.REFUSED),
                    present.stream()
                            .mapToLong(command -> command.sendings().size() - 1)
                            .sum(),
                    count(present, Outcome.TOO_OLD),
                    TimeUnit.NANOSECONDS.toMillis(present.stream()
                            .mapToLong(command -> waited(command, to))
                            .max()
                            .orElse(0)),
                    present.stream()
                            .flatMap(command -> command.sendings().stream())
                            .filter(sending -> sending.outcome() != Outcome.DONE)
                            .collect(Collectors.groupingBy(Sending::reason, TreeMap::new, Collectors.counting())));
        }

        private static long count(List<AccountCommand> commands, Outcome outcome) {
            return commands.stream().filter(command -> command.has(outcome)).count();
        }

        private static long waited(AccountCommand command, long to) {
            return command.sendings().stream()
                            .filter(sending -> sending.outcome() != Outcome.UNKNOWN)
                            .mapToLong(Sending::ended)
                            .findFirst()
                            .orElse(to)
                    - command.sendings().get(0).sent();
        }
    }

    public boolean isGood() {
        return wrong.isEmpty() && silent.isEmpty() && whole;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "fault=%s target=%d coordinator=%s done=%d refused=%d again=%d too_old=%d longest_ms=%d settled_ms=%d"
                        + " violations=%d silent=%d whole=%s",
                fault.text(),
                target,
                onCoordinator ? "yes" : "no",
                seen.done(),
                seen.refused(),
                seen.again(),
                seen.tooOld(),
                seen.longestMs(),
                settledMs,
                wrong.size(),
                silent.size(),
                whole ? "yes" : "no");
    }
}
