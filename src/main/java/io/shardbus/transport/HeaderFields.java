package io.shardbus.transport;

import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a frame's item as numbered fields. A deadline travels as the milliseconds that are left. */
final class HeaderFields {
    /** A reader takes no more; what {@link ItemHeaders} allows is less, in any alphabet. */
    static final int MOST_BYTES = 8192;

    /** A deadline further away, a hundred years, is none. */
    private static final long LONGEST_MS = 100L * 365 * 86_400_000;

    private static final int TRACE = 1;
    private static final int REMAINING = 2;
    private static final int COMMAND_ID = 3;

    private HeaderFields() {}

    static void write(FieldWriter out, ItemHeaders headers, long now) {
        new TreeMap<>(headers.trace())
                .forEach((key, value) ->
                        out.record(TRACE, entry -> entry.text(1, key).text(2, value)));
        if (headers.deadline() != ItemHeaders.NO_DEADLINE) {
            out.number(REMAINING, Math.max(1, headers.deadline() - now));
        }
        out.text(COMMAND_ID, headers.commandId());
    }

    /**
     * @param now elapsed milliseconds of this node
     * @throws WireFormatException for garbage
     * @throws IllegalArgumentException for more than a message may have
     */
    static ItemHeaders read(FieldReader in, long now) {
        Map<String, String> trace = new HashMap<>();
        long deadline = ItemHeaders.NO_DEADLINE;
        String commandId = "";
        while (in.next()) {
            switch (in.field()) {
                case TRACE -> readEntry(in.record(), trace);
                case REMAINING -> deadline = moment(now, in.number());
                case COMMAND_ID -> commandId = in.text();
                default -> {}
            }
        }
        return new ItemHeaders(trace, deadline, commandId);
    }

    private static long moment(long now, long remaining) {
        return remaining < 0 || remaining > LONGEST_MS ? ItemHeaders.NO_DEADLINE : now + remaining;
    }

    private static void readEntry(FieldReader in, Map<String, String> trace) {
        String key = "";
        String value = "";
        while (in.next()) {
            switch (in.field()) {
                case 1 -> key = in.text();
                case 2 -> value = in.text();
                default -> {}
            }
        }
        trace.put(key, value);
    }
}
