package io.shardbus.core.protocol;

/** Texts of exceptions of users' code, whose own methods may throw. */
public final class FaultText {
    private FaultText() {}

    /** The exception's message; the name of its class where it cannot be had. */
    public static String message(Throwable fault) {
        try {
            return String.valueOf(fault.getMessage());
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            return withoutText(fault);
        }
    }

    /** The exception as it describes itself; the name of its class where it does not. */
    public static String whole(Throwable fault) {
        try {
            return String.valueOf(fault);
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            return withoutText(fault);
        }
    }

    private static String withoutText(Throwable fault) {
        return fault.getClass().getName() + ", whose own text cannot be had";
    }
}
