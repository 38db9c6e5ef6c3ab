package io.shardbus.core.protocol;

import java.util.Map;

/**
 * Optional headers of a message or its answer: most have none. Bounded, so that a message's room is its payload's.
 *
 * @param trace the trace that the message belongs to, as its tracer writes it, for instance {@code traceparent} and
 *     {@code tracestate}
 * @param deadline the moment in elapsed milliseconds of this node after which no answer is wanted; {@link #NO_DEADLINE}
 *     for none. What travels is the rest, so a repeated frame brings a later one
 * @param commandId what the sender calls the command, the same when it sends it once more; empty for none. Where an
 *     event-bus client has sent it, {@link #OF_BUS_CLIENT} is before it
 */
public record ItemHeaders(Map<String, String> trace, long deadline, String commandId) {
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Of nearly all messages. */
    public static final ItemHeaders NONE = new ItemHeaders(Map.of(), NO_DEADLINE, "");

    public static final int MOST_TRACE_ENTRIES = 16;
    public static final String OF_BUS_CLIENT = "bus:";
    public static final int LONGEST_COMMAND_ID = 256;

    /** The letters of all trace entries together. */
    public static final int LONGEST_TRACE = 2048;

    /** @throws IllegalArgumentException for more than may travel */
    public ItemHeaders {
        trace = trace.isEmpty() ? Map.of() : Map.copyOf(trace);
        long letters = 0;
        for (Map.Entry<String, String> entry : trace.entrySet()) {
            letters += entry.getKey().length() + entry.getValue().length();
        }
        if (trace.size() > MOST_TRACE_ENTRIES || letters > LONGEST_TRACE) {
            throw new IllegalArgumentException("a trace of " + trace.size() + " entries with " + letters
                    + " letters; at most " + MOST_TRACE_ENTRIES + " with " + LONGEST_TRACE);
        }
        if (commandId.length() > LONGEST_COMMAND_ID) {
            throw new IllegalArgumentException(
                    "a command id of " + commandId.length() + " letters; at most " + LONGEST_COMMAND_ID);
        }
    }

    /** The same in this trace. */
    public ItemHeaders withTrace(Map<String, String> other) {
        return new ItemHeaders(other, deadline, commandId);
    }

    public boolean isEmpty() {
        return trace.isEmpty() && deadline == NO_DEADLINE && commandId.isEmpty();
    }
}
