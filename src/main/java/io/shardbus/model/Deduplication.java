package io.shardbus.model;

/**
 * The window of commands with an id that an entity remembers. A command that has left the window is refused with
 * COMMAND_TOO_OLD when it comes again. So a small window does not let a command execute twice: it only refuses repeated
 * commands earlier. The window is in memory with the entity and is stored with each of its snapshots, tombstones and
 * durable states.
 *
 * @param commands largest number of ids in the window, 1 to 10,000
 * @param bytes largest size of the window, 2 KiB to 1 MiB: for each id the number of its characters, the bytes of its
 *     answer, and 24
 */
public record Deduplication(int commands, int bytes) {
    /** 128 ids, and 16 KiB. */
    public static final Deduplication DEFAULT = new Deduplication(128, 16 * 1024);

    private static final int MOST_COMMANDS = 10_000;
    private static final int LEAST_BYTES = 2 * 1024;
    private static final int MOST_BYTES = 1024 * 1024;

    /** @throws IllegalArgumentException naming value and range */
    public Deduplication {
        if (commands < 1 || commands > MOST_COMMANDS) {
            throw new IllegalArgumentException("a deduplication of " + commands + " commands: use 1 to 10,000");
        }
        if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("a deduplication of " + bytes + " bytes: use 2,048 to 1,048,576");
        }
    }
}
