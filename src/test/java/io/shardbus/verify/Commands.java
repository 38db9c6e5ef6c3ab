package io.shardbus.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short commands of the operating system. */
final class Commands {
    private static final long LONGEST_SECONDS = 20;

    private Commands() {}

    /** How a command ended, and what it wrote. */
    record Result(int code, String output) {}

    /** @throws IllegalStateException when it fails */
    static String run(String... command) {
        var result = attempt(command);
        if (result.code != 0) {
            throw new IllegalStateException(List.of(command) + " gave " + result.code + ": " + result.output);
        }
        return result.output;
    }

    /** Runs a command that may fail; one that does not exist gives 127. */
    static Result attempt(String... command) {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return new Result(127, e.toString());
        }
        return result(process, List.of(command));
    }

    private static Result result(Process process, List<String> command) {
        try {
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " does not end");
            }
            return new Result(process.exitValue(), output.strip());
        } catch (IOException e) {
            return new Result(126, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }
}
