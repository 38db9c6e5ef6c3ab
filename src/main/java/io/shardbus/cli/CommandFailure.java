package io.shardbus.cli;

/** Ends a command with one line for the operator and an exit code. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    CommandFailure(ExitCode code, String line) {
        super(line);
        this.code = code;
    }

    CommandFailure(ExitCode code, String line, Throwable cause) {
        super(line, cause);
        this.code = code;
    }

    ExitCode code() {
        return code;
    }
}
