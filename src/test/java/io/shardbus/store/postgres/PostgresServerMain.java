package io.shardbus.store.postgres;

import java.io.IOException;

/** Runs a server of the tests for the benchmarks: prints its URI and ends it when the standard input ends. */
public final class PostgresServerMain {
    private PostgresServerMain() {}

    /** @param settings such as {@code max_connections=20} */
    public static void main(String[] settings) throws IOException {
        try (PostgresServer server = PostgresServer.start(settings)) {
            System.out.println(server.uri());
            System.in.readAllBytes();
        }
    }
}
