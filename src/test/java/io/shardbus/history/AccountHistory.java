package io.shardbus.history;

import io.shardbus.history.AccountCommand.Kind;
import io.shardbus.history.AccountCommand.Outcome;
import io.shardbus.history.AccountCommand.Sending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What clients saw of accounts, held against what may be: a command that was done has one effect, as its answer said; a
 * refused one has none; one whose outcome is unknown has one at most. A command that is sent again is answered as
 * before. What has left one account has arrived at the other, once; and all accounts together hold what was paid in and
 * not paid out. Neither sequence numbers nor tokens of an account go back.
 */
public final class AccountHistory {
    private final Collection<AccountCommand> commands;
    private final List<String> wrong = new ArrayList<>();

    private AccountHistory(Collection<AccountCommand> commands) {
        this.commands = commands;
    }

    /** What the answers alone show that must not be, also while commands are under way. */
    public static List<String> wrongIn(Collection<AccountCommand> commands, Collection<AccountReading> readings) {
        var history = new AccountHistory(commands);
        history.checkAnswers(readings);
        return history.wrong;
    }

    /**
     * The same, and what has become of each command. What is wrong may still come right while transfers are under way.
     */
    public static List<String> wrongIn(
            Collection<AccountCommand> commands, Collection<AccountReading> readings, AccountsAtRest rest) {
        var history = new AccountHistory(commands);
        history.checkAnswers(readings);
        history.checkEffects(rest);
        return history.wrong;
    }

    private void checkAnswers(Collection<AccountReading> readings) {
        commands.forEach(this::checkAnswersOf);
        List<AccountReading> seen = new ArrayList<>(readings);
        commands.forEach(command -> firstDone(command).ifPresent(seen::add));
        seen.stream()
                .collect(Collectors.groupingBy(reading -> reading.state().id()))
                .values()
                .forEach(this::checkInTime);
        commands.stream()
                .flatMap(command -> command.states().limit(1))
                .collect(Collectors.groupingBy(AccountState::id))
                .values()
                .forEach(this::checkEvents);
    }

    /** From the first sending, before which it has no effect, to the first answer. */
    private static Optional<AccountReading> firstDone(AccountCommand command) {
        return command.sendings().stream()
                .filter(sending -> sending.state() != null)
                .findFirst()
                .map(done -> new AccountReading(command.sendings().get(0).sent(), done.ended(), done.state()));
    }

    private void checkAnswersOf(AccountCommand command) {
        if (command.states().distinct().count() > 1) {
            wrong.add("answered in two ways: " + command);
        }
        command.states()
                .filter(state -> !state.id().equals(command.account()))
                .forEach(state -> wrong.add("answered for another account: " + command));
        if (command.has(Outcome.DONE) && command.has(Outcome.REFUSED)) {
            wrong.add("done and refused: " + command);
        }
        if (command.has(Outcome.WRONG)) {
            wrong.add("answered as no command may be: " + command);
        }
        if (command.sendings().stream()
                .map(Sending::outcome)
                .findFirst()
                .filter(Outcome.TOO_OLD::equals)
                .isPresent()) {
            wrong.add("too old when it was sent first: " + command);
        }
        boolean known = false;
        for (Sending sending : command.sendings()) {
            if (known && !command.timed() && sending.outcome() == Outcome.TOO_OLD) {
                wrong.add("forgotten after it was answered: " + command);
            }
            known |= sending.outcome() == Outcome.DONE || sending.outcome() == Outcome.REFUSED;
        }
    }

    /** What is sent after an answer has come shows at least what that answer showed. */
    private void checkInTime(List<AccountReading> ofOneAccount) {
        var bySending = ofOneAccount.stream()
                .sorted(Comparator.comparingLong(AccountReading::sent))
                .toList();
        var byAnswer = ofOneAccount.stream()
                .sorted(Comparator.comparingLong(AccountReading::answered))
                .toList();
        Map<Long, Long> balances = new HashMap<>();
        AccountState latest = null;
        AccountState newest = null;
        int next = 0;
        for (var reading : bySending) {
            for (; byAnswer.get(next).answered() < reading.sent(); next++) {
                var state = byAnswer.get(next).state();
                latest = latest == null || state.sequenceNumber() > latest.sequenceNumber() ? state : latest;
                newest = newest == null || newest.hasOlderTokenThan(state) ? state : newest;
            }
            var state = reading.state();
            if (latest != null && state.sequenceNumber() < latest.sequenceNumber()) {
                wrong.add("the number went back: " + latest + " was answered before this was sent: " + reading);
            }
            if (newest != null && state.hasOlderTokenThan(newest)) {
                wrong.add("the token went back: " + newest + " was answered before this was sent: " + reading);
            }
            long balance = balances.merge(state.sequenceNumber(), state.balance(), (first, later) -> first);
            if (balance != state.balance()) {
                wrong.add("two balances with one number, the other is " + balance + ": " + reading);
            }
        }
    }

    /** What was answered is stored with the event: its numbers belong to one command each, and tokens follow them. */
    private void checkEvents(List<AccountState> ofOneAccount) {
        var inOrder = ofOneAccount.stream()
                .sorted(Comparator.comparingLong(AccountState::sequenceNumber))
                .toList();
        for (int i = 1; i < inOrder.size(); i++) {
            var before = inOrder.get(i - 1);
            var state = inOrder.get(i);
            if (before.sequenceNumber() == state.sequenceNumber()) {
                wrong.add("two commands with one number: " + before + " and " + state);
            }
            if (state.hasOlderTokenThan(before)) {
                wrong.add("a row of an older home " + state + " comes after " + before);
            }
        }
    }

    /** A movement and the account in whose statement it is. */
    private record Stored(String account, AccountMovement movement) {}

    private void checkEffects(AccountsAtRest rest) {
        var statements = rest.statements().get(0);
        for (int node = 1; node < rest.statements().size(); node++) {
            var others = rest.statements().get(node);
            if (!statements.equals(others)) {
                wrong.add("two nodes show different statements: " + difference(statements, others));
            }
        }
        Map<Long, List<Stored>> byAmount = new HashMap<>();
        statements.forEach((account, movements) -> {
            checkStatement(account, movements, rest);
            movements.forEach(
                    movement -> byAmount.computeIfAbsent(Math.abs(movement.amount()), amount -> new ArrayList<>())
                            .add(new Stored(account, movement)));
        });
        long paid = 0;
        Set<Long> amounts = new HashSet<>();
        for (var command : commands) {
            if (!amounts.add(command.amount())) {
                throw new IllegalArgumentException("two commands of one amount: " + command);
            }
            paid += paidIn(command, checkEffect(command, byAmount.getOrDefault(command.amount(), List.of())));
        }
        byAmount.forEach((amount, stored) -> {
            if (!amounts.contains(amount)) {
                wrong.add("stored, but sent by no client: " + stored);
            }
        });
        checkSum(paid, rest);
    }

    private static String difference(Map<String, List<AccountMovement>> one, Map<String, List<AccountMovement>> other) {
        return one.keySet().stream()
                .filter(account -> !one.get(account).equals(other.get(account)))
                .map(account -> account + " has " + one.get(account).size() + " movements and "
                        + other.getOrDefault(account, List.of()).size())
                .collect(Collectors.joining(", "));
    }

    private void checkStatement(String account, List<AccountMovement> movements, AccountsAtRest rest) {
        long balance = 0;
        long number = 0;
        for (var movement : movements) {
            balance += movement.amount();
            number++;
            if (movement.sequenceNumber() != number || movement.balance() != balance || balance < 0) {
                wrong.add(account + " has no movement " + number + " with balance " + balance + " but " + movement);
                return;
            }
        }
        for (var states : rest.states()) {
            var state = states.get(account);
            if (state == null || state.balance() != balance || state.sequenceNumber() != number) {
                wrong.add(account + " has " + number + " movements, balance " + balance + ", and answers " + state);
            }
        }
    }

    /** What a command has paid in, by its answer; by what is stored only where its outcome is unknown. */
    private static long paidIn(AccountCommand command, long effects) {
        if (command.kind() == Kind.TRANSFER) {
            return 0;
        }
        if (command.has(Outcome.DONE)) {
            return command.change();
        }
        return command.has(Outcome.REFUSED) && !mayBeJudgedAnew(command) ? 0 : command.change() * effects;
    }

    /** How often a command took effect at its account. */
    private long checkEffect(AccountCommand command, List<Stored> stored) {
        var effects = stored.stream()
                .filter(one -> one.account().equals(command.account()) && isEffect(command, one.movement()))
                .toList();
        long arrivals = stored.stream()
                .filter(one -> one.account().equals(command.to()) && isArrival(command, one.movement()))
                .count();
        if (effects.size() + arrivals != stored.size()) {
            wrong.add("stored as no effect of its command: " + stored + " of " + command);
        }
        if (effects.size() > 1) {
            wrong.add("has " + effects.size() + " effects: " + effects + " of " + command);
        }
        if (command.kind() == Kind.TRANSFER && arrivals != effects.size()) {
            wrong.add("left " + effects.size() + " times and arrived " + arrivals + " times: " + command);
        }
        if (command.has(Outcome.DONE)) {
            checkAnswered(command, effects);
        } else if (command.has(Outcome.REFUSED) && !effects.isEmpty() && !mayBeJudgedAnew(command)) {
            wrong.add("refused, but has the effect " + effects + ": " + command);
        }
        return effects.size();
    }

    private void checkAnswered(AccountCommand command, List<Stored> effects) {
        var state = command.states().findFirst().orElseThrow();
        if (effects.isEmpty()) {
            wrong.add("answered, and has no effect: " + command);
        } else if (effects.stream()
                .noneMatch(effect -> effect.movement().sequenceNumber() == state.sequenceNumber()
                        && effect.movement().balance() == state.balance())) {
            wrong.add("answered as it is not stored: " + effects + " of " + command);
        }
    }

    /** The refusal of a timed command is not kept: an earlier sending that was held up may come after it. */
    private static boolean mayBeJudgedAnew(AccountCommand command) {
        return command.timed() && command.has(Outcome.UNKNOWN);
    }

    private static boolean isEffect(AccountCommand command, AccountMovement movement) {
        return movement.kind().equals(command.kind().text())
                && movement.amount() == command.change()
                && Objects.equals(movement.other(), command.to());
    }

    private static boolean isArrival(AccountCommand command, AccountMovement movement) {
        return movement.kind().equals(Kind.TRANSFER.text())
                && movement.amount() == command.amount()
                && command.account().equals(movement.other());
    }

    private void checkSum(long paid, AccountsAtRest rest) {
        for (var states : rest.states()) {
            long sum = states.values().stream().mapToLong(AccountState::balance).sum();
            if (sum != paid) {
                wrong.add("all accounts hold " + sum + ", and " + paid + " was paid in and not out");
            }
        }
    }
}
