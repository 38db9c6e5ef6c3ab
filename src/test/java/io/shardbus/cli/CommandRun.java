package io.shardbus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One run of the program in this process.
 *
 * @param out what it wrote
 * @param errors what it wrote beside that
 */
record CommandRun(int code, String out, String errors) {
    static CommandRun of(String... arguments) {
        return of(false, arguments);
    }

    static CommandRun onTerminal(String... arguments) {
        return of(true, arguments);
    }

    /** A command that goes on. */
    record Going(ByteArrayOutputStream out, CompletableFuture<CommandRun> end) {
        List<String> lines() {
            return out.toString(UTF_8).lines().toList();
        }

        CommandRun ended() {
            return end.orTimeout(30, TimeUnit.SECONDS).join();
        }
    }

    static Going begin(String... arguments) {
        var out = new ByteArrayOutputStream();
        // a thread of its own: the common pool may have one thread only, which a command that goes on would keep
        return new Going(
                out, CompletableFuture.supplyAsync(() -> of(false, out, arguments), task -> new Thread(task).start()));
    }

    private static CommandRun of(boolean terminal, String... arguments) {
        return of(terminal, new ByteArrayOutputStream(), arguments);
    }

    private static CommandRun of(boolean terminal, ByteArrayOutputStream out, String... arguments) {
        var errors = new ByteArrayOutputStream();
        int code = ShardbusCommand.run(
                arguments, new PrintStream(out, true, UTF_8), new PrintStream(errors, true, UTF_8), terminal);
        return new CommandRun(code, out.toString(UTF_8), errors.toString(UTF_8));
    }

    CommandRun succeeds() {
        assertEquals(ExitCode.DONE.code(), code, this::toString);
        assertEquals("", errors);
        return this;
    }

    /** One clear line, and nothing else. */
    void fails(ExitCode expected, String line) {
        assertEquals(expected.code(), code, this::toString);
        assertEquals("", out);
        assertEquals(List.of("shardbus: " + line), errors.lines().toList());
    }

    JsonObject document() {
        succeeds();
        return new JsonObject(out);
    }
}
