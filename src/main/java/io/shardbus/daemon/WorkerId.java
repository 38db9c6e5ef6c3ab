package io.shardbus.daemon;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One worker of a set in one revision. Its entity id is {@code revision|total|number}; at revision 0 it is the number
 * alone, the form of builds without rescaling.
 *
 * @param revision how often the set was rescaled before
 * @param total number of workers of the set in this revision
 * @param number 0 to {@code total - 1}
 */
public record WorkerId(long revision, int total, int number) {
    private static final Pattern PLAIN = Pattern.compile("0|[1-9]\\d{0,8}");
    private static final Pattern COMPOSITE = Pattern.compile("([1-9]\\d{0,17})\\|([1-9]\\d{0,8})\\|(0|[1-9]\\d{0,8})");

    /**
     * The worker of an id; empty if the text is not the id of a worker.
     *
     * @param initial number of workers of the set at revision 0
     */
    public static Optional<WorkerId> parse(String id, int initial) {
        if (PLAIN.matcher(id).matches()) {
            return Optional.of(new WorkerId(0, initial, Integer.parseInt(id)));
        }
        Matcher parts = COMPOSITE.matcher(id);
        return parts.matches()
                ? Optional.of(new WorkerId(
                        Long.parseLong(parts.group(1)),
                        Integer.parseInt(parts.group(2)),
                        Integer.parseInt(parts.group(3))))
                : Optional.empty();
    }

    /** The id of its entity. */
    public String text() {
        return revision == 0 ? Integer.toString(number) : revision + "|" + total + "|" + number;
    }
}
