package io.shardbus.model;

import java.time.Instant;
import java.util.Objects;

/**
 * Idempotency key of a command: the same each time the command is sent, so that a persistent entity executes it once.
 *
 * @param key 1 to 200 characters, without control characters; different for all commands of one entity
 * @param createdMillis when the command was made, in milliseconds since 1970. By it an entity that no longer remembers
 *     the id knows that the command may have been executed. Keep it with the key: each repetition has the same
 */
public record CommandId(String key, long createdMillis) {
    public static final int LONGEST_KEY = 200;

    /** Largest lead of a command's creation time over the present, as clocks differ: an hour in milliseconds. */
    public static final long MOST_AHEAD_MS = 3_600_000;

    /** @throws IllegalArgumentException for an invalid key */
    public CommandId {
        Objects.requireNonNull(key, "key");
        if (key.isBlank() || key.length() > LONGEST_KEY || KeyText.hasControl(key)) {
            throw new IllegalArgumentException("the key of a command id has 1 to " + LONGEST_KEY
                    + " characters, none of them a control character");
        }
        if (!KeyText.isUnicode(key)) {
            throw new IllegalArgumentException("the key of a command id is no Unicode text");
        }
        if (createdMillis < 0) {
            throw new IllegalArgumentException("a command of " + createdMillis + " ms: use milliseconds since 1970");
        }
    }

    /** @param createdAt when the command was made; cut to milliseconds */
    public static CommandId of(String key, Instant createdAt) {
        return new CommandId(key, createdAt.toEpochMilli());
    }

    /**
     * The reverse of {@link #toString}.
     *
     * @throws IllegalArgumentException for a text that is not a command id
     */
    public static CommandId parse(String text) {
        int colon = text.indexOf(':');
        try {
            if (colon > 0) {
                return new CommandId(text.substring(colon + 1), Long.parseLong(text.substring(0, colon)));
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException("a command id is milliseconds since 1970, a colon and a key");
    }

    /**
     * Whether the id's moment is further in the future than clocks may differ. Once such an id had left an entity's
     * window, the entity would refuse all commands up to that moment.
     *
     * @param nowMillis milliseconds since 1970
     */
    public boolean isAheadOf(long nowMillis) {
        return createdMillis > nowMillis + MOST_AHEAD_MS;
    }

    /** The error text for the sender of such an id. */
    public String aheadOf(long nowMillis) {
        return "command '" + key + "' of " + createdMillis + " is more than an hour ahead of this node's clock, "
                + nowMillis + ": give the moment at which it was made, in milliseconds since 1970";
    }

    /** The milliseconds, a colon and the key, as the header {@code command-id} of an event-bus client has it. */
    @Override
    public String toString() {
        return createdMillis + ":" + key;
    }
}
