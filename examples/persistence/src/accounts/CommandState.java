package accounts;

/**
 * What is known of a command that its client may send again. Immutable.
 *
 * @param first whether this is its first time
 * @param heardOf when it came first, in milliseconds since 1970; 0 before
 * @param what the command
 * @param answer as JSON; empty until it is executed or refused
 * @param repeated whether it has come more than once
 * @param refused whether the answer is a refusal
 */
public record CommandState(boolean first, long heardOf, String what, String answer, boolean repeated, boolean refused) {
    static final CommandState UNKNOWN = new CommandState(true, 0, "", "", false, false);

    /** It has come for the first time. */
    static CommandState begun(long now, String what) {
        return new CommandState(false, now, what, "", false, false);
    }

    /** What its first sender is told. */
    CommandState toFirst() {
        return new CommandState(true, heardOf, what, answer, repeated, refused);
    }

    CommandState again() {
        return new CommandState(false, heardOf, what, answer, true, refused);
    }

    CommandState answered(String kept, boolean isRefusal) {
        return new CommandState(false, heardOf, what, kept, repeated, isRefusal);
    }

    boolean isAnswered() {
        return !answer.isEmpty();
    }
}
