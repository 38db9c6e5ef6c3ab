package io.shardbus.logging;

/** Text from outside, such as ids and reasons, in a form that a terminal or a reader of a log can be shown. */
public final class PrintableText {
    private PrintableText() {}

    /** The text of the value with a question mark for each control character: it stays on its line. */
    public static String of(Object value) {
        return String.valueOf(value)
                .codePoints()
                .map(point -> Character.isISOControl(point) ? '?' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
