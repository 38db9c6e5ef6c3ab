package purchases;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real broker of Kafka in KRaft mode, broker and controller in one process, on free ports of the loopback. From the
 * command line: {@code Broker DIRECTORY PORT}, in the foreground; the directory is kept.
 */
final class Broker implements AutoCloseable {
    private static final long LONGEST_START_S = 60;
    private static final int CONNECT_MS = 1000;

    private final Process process;
    private final int port;

    private Broker(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 2) {
            System.err.println("usage: Broker DIRECTORY PORT");
            System.exit(2);
        }
        try (var broker = start(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
            System.out.println("ready: Kafka at " + broker.servers());
            System.exit(broker.process.waitFor());
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("127.0.0.1", 0));
            return socket.getLocalPort();
        }
    }

    /** Starts one, and returns when it listens. Its log is broker.log in the directory. */
    static Broker start(Path directory, int port) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        var properties = Files.writeString(directory.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                controller.quorum.voters=1@127.0.0.1:%2$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%3$s
                num.partitions=1
                auto.create.topics.enable=false
                offsets.topic.num.partitions=3
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=200
                """.formatted(
                        port, freePort(), directory.resolve("log").toAbsolutePath()));
        var log = directory.resolve("broker.log").toFile();
        var format = java(
                log,
                "kafka.tools.StorageTool",
                "format",
                "-t",
                "AAAAAAAAAAAAAAAAAAAAAQ",
                "-c",
                properties.toString(),
                "--ignore-formatted");
        if (!format.waitFor(LONGEST_START_S, TimeUnit.SECONDS) || format.exitValue() != 0) {
            format.destroyForcibly();
            throw new IllegalStateException("the directory was not formatted, see " + log);
        }
        var broker = new Broker(java(log, "kafka.Kafka", properties.toString()), port);
        broker.awaitListening(log);
        return broker;
    }

    private static Process java(File log, String main, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    private void awaitListening(File log) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_START_S);
        while (!listens()) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                close();
                throw new IllegalStateException("the broker did not start, see " + log);
            }
        }
    }

    private boolean listens() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String servers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
