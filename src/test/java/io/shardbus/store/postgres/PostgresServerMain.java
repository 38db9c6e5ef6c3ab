package io.shardbus.store.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs a server of the tests for the examples: prints its URI and ends it when the standard input ends. A line there
 * says {@code stop}, as at a power cut, or {@code start}; it is printed when that is done.
 */
public final class PostgresServerMain {
    private PostgresServerMain() {}

    /** @param settings such as {@code max_connections=20} */
    public static void main(String[] settings) throws IOException {
        try (PostgresServer server = PostgresServer.start(settings)) {
            System.out.println(server.uri());
            var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals("stop")) {
                    server.stopAtOnce();
                } else {
                    server.startAgain();
                }
                System.out.println(line);
            }
        }
    }
}
