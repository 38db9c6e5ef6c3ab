package io.shardbus.wire;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbered fields as a text, for records in stores that hold texts: {@code 1=5:hello 2=2:no } is a number, how many
 * letters follow, and those. A reader skips numbers that it does not know.
 */
public final class TextFields {
    private static final Pattern HEAD = Pattern.compile("(\\d{1,9})=(\\d{1,9}):");

    private final Map<Integer, String> fields = new TreeMap<>();

    /** Nothing yet. */
    public TextFields() {}

    public TextFields put(int field, String value) {
        fields.put(field, value);
        return this;
    }

    public Optional<String> get(int field) {
        return Optional.ofNullable(fields.get(field));
    }

    /** The text, in the order of the numbers. */
    public String text() {
        StringBuilder text = new StringBuilder();
        fields.forEach((field, value) -> text.append(field)
                .append('=')
                .append(value.length())
                .append(':')
                .append(value)
                .append(' '));
        return text.toString();
    }

    /** Empty for what is no such text. */
    public static Optional<TextFields> parse(String text) {
        TextFields read = new TextFields();
        Matcher head = HEAD.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!head.find(at) || head.start() != at) {
                return Optional.empty();
            }
            int start = head.end();
            int length = Integer.parseInt(head.group(2));
            if (length >= text.length() - start || text.charAt(start + length) != ' ') {
                return Optional.empty();
            }
            read.put(Integer.parseInt(head.group(1)), text.substring(start, start + length));
            at = start + length + 1;
        }
        return Optional.of(read);
    }
}
