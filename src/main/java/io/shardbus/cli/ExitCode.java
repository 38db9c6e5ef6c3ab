package io.shardbus.cli;

/** Exit codes of the program. Codes are only ever added. */
public enum ExitCode {
    /** The command was carried out. */
    DONE(0, "done"),
    /** The doctor found a problem. */
    PROBLEM(1, "doctor found a problem"),
    /** The command line is wrong: unknown command, option or value; also a value that the node refuses with 400. */
    USAGE(2, "wrong command, option or value"),
    /** No node answers at the URL in time, it has no admin resources there, or it went away. */
    UNREACHABLE(3, "no admin resources at the URL, or the node does not answer or went away"),
    /** The node refuses the request: 401 or 403. */
    REFUSED(4, "refused: read-only, not allowed, or not authenticated"),
    /** The type, shard, node or projection does not exist: 404. */
    NOT_FOUND(5, "no such type, shard, node or projection"),
    /** The request does not apply in the present state: 405 or 409. */
    NOT_APPLICABLE(6, "does not apply in the present state, such as a reset of a projection that is not paused"),
    /** The node failed, or did not answer a change in time; the change may have been carried out. */
    FAILED(7, "the node failed, or did not answer a change in time; the change may have been carried out"),
    /** What the command waits for did not end within the limit of the wait. */
    UNFINISHED(8, "what the command waits for did not end in time, and goes on"),
    /** A defect of the program. */
    DEFECT(70, "a defect of the program");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /** In a few words, as the help and the guide have it. */
    public String meaning() {
        return meaning;
    }

    /** The exit code for a status that is no success. */
    static ExitCode ofStatus(int status) {
        return switch (status) {
            case 400, 413 -> USAGE;
            case 405, 409 -> NOT_APPLICABLE;
            case 401, 403 -> REFUSED;
            case 404 -> NOT_FOUND;
            default -> FAILED;
        };
    }
}
