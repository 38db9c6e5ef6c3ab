package accounts;

/**
 * What is known of a command that its client may send again. Immutable.
 *
 * @param first whether this is its first time
 * @param heardOf when it came first, in milliseconds since 1970; 0 before
 * @param what the command
 * @param answer as JSON; empty until it is executed
 * @param repeated whether it has come more than once
 */
public record CommandState(boolean first, long heardOf, String what, String answer, boolean repeated) {
    static final CommandState UNKNOWN = new CommandState(true, 0, "", "", false);

    /** What its first sender is told. */
    CommandState toFirst() {
        return new CommandState(true, heardOf, what, answer, repeated);
    }

    boolean isAnswered() {
        return !answer.isEmpty();
    }
}
