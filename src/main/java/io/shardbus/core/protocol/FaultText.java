package io.shardbus.core.protocol;

/** Texts of exceptions of users' code, whose own methods may throw, in a length that fits into a frame. */
public final class FaultText {
    /** Characters of a text that are told, to any node. */
    public static final int MOST_CHARACTERS = 8_192;

    private FaultText() {}

    /** The text, or its beginning and that there was more. */
    public static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    /** The exception's message; the name of its class where it cannot be had. */
    public static String message(Throwable fault) {
        try {
            return shortened(String.valueOf(fault.getMessage()));
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            return withoutText(fault);
        }
    }

    /** The exception's own description; the name of its class if it has none. */
    public static String whole(Throwable fault) {
        try {
            return shortened(String.valueOf(fault));
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            return withoutText(fault);
        }
    }

    private static String withoutText(Throwable fault) {
        return fault.getClass().getName() + ", whose own text cannot be had";
    }
}
