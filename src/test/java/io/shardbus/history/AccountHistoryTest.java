package io.shardbus.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.history.AccountCommand.Kind;
import io.shardbus.history.AccountCommand.Outcome;
import io.shardbus.history.AccountCommand.Sending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The judge itself: it must accept what is right and find what is wrong. */
@DisplayName("The judge of accounts")
class AccountHistoryTest {
    private static final AccountMovement PAID = new AccountMovement(1, "deposit", 10, 10, null);
    private static final AccountMovement OUT = new AccountMovement(2, "transfer", -3, 7, "b");
    private static final AccountMovement IN = new AccountMovement(1, "transfer", 3, 3, "a");
    private static final AccountMovement TAKEN = new AccountMovement(3, "withdraw", -2, 5, null);

    private final List<AccountCommand> commands = new ArrayList<>(List.of(
            command(Kind.DEPOSIT, 10, null, done(0, 1, 10)),
            command(Kind.TRANSFER, 3, "b", unknown(2), done(5, 2, 7), done(8, 2, 7)),
            command(Kind.WITHDRAW, 2, null, done(11, 3, 5)),
            command(Kind.WITHDRAW, 100, null, unknown(13), refused(15))));
    private final List<AccountReading> readings = new ArrayList<>();
    private final Map<String, List<AccountMovement>> statements =
            new HashMap<>(Map.of("a", List.of(PAID, OUT, TAKEN), "b", List.of(IN)));
    private final Map<String, AccountState> states = new HashMap<>(Map.of("a", state(3, 5, 1), "b", b(1, 3)));

    private static AccountCommand command(Kind kind, long amount, @Nullable String to, Sending... sendings) {
        return new AccountCommand("id-" + amount, kind, "a", to, amount, false, List.of(sendings));
    }

    private static AccountCommand timed(AccountCommand command) {
        return new AccountCommand(
                command.id(), command.kind(), "a", command.to(), command.amount(), true, command.sendings());
    }

    private static AccountState state(long number, long balance, long term) {
        return new AccountState("a", balance, number, "n", "i" + term, term, 1);
    }

    private static AccountState b(long number, long balance) {
        return new AccountState("b", balance, number, "n", "j", 1, 1);
    }

    private static Sending done(long sent, long number, long balance) {
        return new Sending("n", sent, sent + 1, Outcome.DONE, state(number, balance, 1), "");
    }

    private static Sending unknown(long sent) {
        return ended(sent, Outcome.UNKNOWN);
    }

    private static Sending refused(long sent) {
        return ended(sent, Outcome.REFUSED);
    }

    private static Sending ended(long sent, Outcome outcome) {
        return new Sending("n", sent, sent + 1, outcome, null, outcome.name());
    }

    private List<String> wrong() {
        return AccountHistory.wrongIn(
                commands, readings, new AccountsAtRest(List.of(states), List.of(statements, statements)));
    }

    private void assertFinds(String what) {
        var wrong = wrong();
        assertTrue(wrong.stream().anyMatch(line -> line.contains(what)), () -> what + " is not in " + wrong);
    }

    private void answers(long sent, AccountState state) {
        readings.add(new AccountReading(sent, sent + 1, state));
    }

    @Test
    @DisplayName("accepts a deposit, a withdrawal, a transfer that was sent again, and a refusal")
    void acceptsWhatIsRight() {
        answers(12, state(3, 5, 1));
        assertEquals(List.of(), wrong());
        assertEquals(List.of(), AccountHistory.wrongIn(commands, readings));
    }

    @Test
    @DisplayName("accepts one effect, or none, of a command whose outcome is not known")
    void acceptsBothOutcomesWhereNoneIsKnown() {
        commands.set(2, command(Kind.WITHDRAW, 2, null, unknown(11), ended(13, Outcome.TOO_OLD)));
        assertEquals(List.of(), wrong());
        commands.add(command(Kind.DEPOSIT, 50, null, unknown(20)));
        assertEquals(List.of(), wrong());
    }

    @Test
    @DisplayName("finds a deposit that was answered and is not stored")
    void findsALostDeposit() {
        commands.add(command(Kind.DEPOSIT, 4, null, done(20, 4, 9)));
        assertFinds("answered, and has no effect");
        assertFinds("all accounts hold 8, and 12 was paid in");
    }

    @Test
    @DisplayName("finds a withdrawal that took effect twice")
    void findsADoubledCommand() {
        statements.put("a", List.of(PAID, OUT, TAKEN, new AccountMovement(4, "withdraw", -2, 3, null)));
        states.put("a", state(4, 3, 1));
        assertFinds("has 2 effects");
        assertFinds("all accounts hold 6, and 8 was paid in");
    }

    @Test
    @DisplayName("finds a command of unknown outcome that took effect twice")
    void findsADoubledCommandWithoutAnAnswer() {
        commands.set(2, command(Kind.WITHDRAW, 2, null, unknown(11)));
        statements.put("a", List.of(PAID, OUT, TAKEN, new AccountMovement(4, "withdraw", -2, 3, null)));
        states.put("a", state(4, 3, 1));
        assertFinds("has 2 effects");
    }

    @Test
    @DisplayName("finds a transfer that has not arrived")
    void findsALostTransfer() {
        statements.put("b", List.of());
        states.put("b", b(0, 0));
        assertFinds("left 1 times and arrived 0 times");
        assertFinds("all accounts hold 5, and 8 was paid in");
    }

    @Test
    @DisplayName("finds a transfer that has arrived twice")
    void findsADoubledTransfer() {
        statements.put("b", List.of(IN, new AccountMovement(2, "transfer", 3, 6, "a")));
        states.put("b", b(2, 6));
        assertFinds("left 1 times and arrived 2 times");
        assertFinds("all accounts hold 11, and 8 was paid in");
    }

    @Test
    @DisplayName("finds a transfer that has arrived at another account than its target")
    void findsATransferThatWentAstray() {
        statements.put("b", List.of());
        statements.put("c", List.of(IN));
        states.put("b", b(0, 0));
        states.put("c", new AccountState("c", 3, 1, "n", "k", 1, 1));
        assertFinds("stored as no effect of its command");
    }

    @Test
    @DisplayName("finds an effect of a command that was refused, unless its refusal is not kept")
    void findsAnEffectOfARefusedCommand() {
        var refused = command(Kind.DEPOSIT, 4, null, unknown(20), refused(22));
        commands.add(refused);
        statements.put("a", List.of(PAID, OUT, TAKEN, new AccountMovement(4, "deposit", 4, 9, null)));
        states.put("a", state(4, 9, 1));
        assertFinds("refused, but has the effect");
        assertFinds("all accounts hold 12, and 8 was paid in");
        commands.set(4, timed(refused));
        assertEquals(List.of(), wrong());
        commands.set(4, timed(command(Kind.DEPOSIT, 4, null, refused(22))));
        assertFinds("refused, but has the effect");
    }

    @Test
    @DisplayName("finds what is stored and was sent by no client")
    void findsWhatNoClientSent() {
        statements.put("b", List.of(IN, new AccountMovement(2, "deposit", 77, 80, null)));
        states.put("b", b(2, 80));
        assertFinds("sent by no client");
        assertFinds("all accounts hold 85, and 8 was paid in");
    }

    @Test
    @DisplayName("finds an answer that is not what is stored")
    void findsAnAnswerThatIsNotStored() {
        commands.set(2, command(Kind.WITHDRAW, 2, null, done(11, 3, 6)));
        assertFinds("answered as it is not stored");
    }

    @Test
    @DisplayName("finds a command that was too old when it was sent first")
    void findsWhatIsTooOldAtFirst() {
        commands.set(2, command(Kind.WITHDRAW, 2, null, ended(13, Outcome.TOO_OLD)));
        assertFinds("too old when it was sent first");
    }

    @Test
    @DisplayName("finds a command that is answered otherwise when it is sent again")
    void findsAnotherAnswer() {
        commands.set(0, command(Kind.DEPOSIT, 10, null, done(0, 1, 10), done(1, 1, 11)));
        assertFinds("answered in two ways");
        commands.set(0, command(Kind.DEPOSIT, 10, null, done(0, 1, 10), refused(1)));
        assertFinds("done and refused");
        commands.set(0, command(Kind.DEPOSIT, 10, null, done(0, 1, 10), ended(1, Outcome.TOO_OLD)));
        assertFinds("forgotten after it was answered");
        commands.set(0, timed(commands.get(0)));
        assertEquals(List.of(), wrong());
        commands.set(0, command(Kind.DEPOSIT, 10, null, ended(0, Outcome.WRONG), done(1, 1, 10)));
        assertFinds("answered as no command may be");
        commands.set(0, command(Kind.DEPOSIT, 10, null, new Sending("n", 0, 1, Outcome.DONE, b(1, 10), "")));
        assertFinds("answered for another account");
    }

    @Test
    @DisplayName("finds a question that is answered with less than an answer before it showed")
    void findsNumbersThatGoBack() {
        answers(13, state(2, 7, 1));
        assertFinds("the number went back");
    }

    @Test
    @DisplayName("accepts an older number of a question that was sent before the newer one was answered")
    void acceptsAnOlderNumberOfAnEarlierQuestion() {
        readings.add(new AccountReading(10, 20, state(2, 7, 1)));
        assertEquals(List.of(), wrong());
    }

    @Test
    @DisplayName("finds a question that a former home answers")
    void findsTokensThatGoBack() {
        answers(13, state(3, 5, 2));
        answers(15, state(3, 5, 1));
        assertFinds("the token went back");
    }

    @Test
    @DisplayName("finds a command of a former home behind one of its successor, and two with one number")
    void findsRowsOfAFormerHome() {
        var newer = new Sending("n", 2, 30, Outcome.DONE, state(2, 7, 2), "");
        commands.set(1, command(Kind.TRANSFER, 3, "b", newer));
        assertFinds("a row of an older home");
        commands.add(command(Kind.DEPOSIT, 4, null, done(0, 3, 9)));
        assertFinds("two commands with one number");
    }

    @Test
    @DisplayName("finds two balances with one number")
    void findsTwoBalancesWithOneNumber() {
        answers(13, state(3, 6, 1));
        assertFinds("two balances with one number");
    }

    @Test
    @DisplayName("finds a statement with a gap, and one that is not what the account answers")
    void findsAStatementThatDoesNotFit() {
        states.put("a", state(4, 6, 1));
        assertFinds("and answers");
        statements.put("a", List.of(PAID, TAKEN));
        assertFinds("has no movement 2");
    }

    @Test
    @DisplayName("finds nodes that show different statements")
    void findsDifferentStatements() {
        var other = new HashMap<>(statements);
        other.put("b", List.of());
        var wrong = AccountHistory.wrongIn(
                commands, readings, new AccountsAtRest(List.of(states), List.of(statements, other)));
        assertEquals(1, wrong.size(), wrong::toString);
        assertTrue(wrong.get(0).contains("different statements: b has 1 movements and 0"), wrong::toString);
    }

    @Test
    @DisplayName("takes no history in which an amount could be of two commands")
    void refusesTwoCommandsOfOneAmount() {
        commands.add(command(Kind.DEPOSIT, 2, null, unknown(20)));
        assertThrows(IllegalArgumentException.class, this::wrong);
    }
}
