package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.channel.Channel;
import io.shardbus.integration.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpPortTest {
    private static final String ANSWERED = "HTTP/1.1 200 OK";
    private static final int CLIENTS = 40;

    private final Vertx vertx = Vertx.vertx();
    private final CompletableFuture<Channel> listening = new CompletableFuture<>();
    private final HttpServer server = vertx.createHttpServer();
    private final HttpPort port = HttpPort.of(Future.succeededFuture(vertx), server);
    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (var client : clients) {
            client.close();
        }
        Await.result(vertx.close());
    }

    @Test
    void whoIsConnectedButNotYetAcceptedWhenThePortIsClosedIsServed() throws IOException {
        int number = listen();
        assertEquals(ANSWERED, answer(ask(number)));
        var resume = holdUpAccepting();

        for (int i = 0; i < CLIENTS; i++) {
            clients.add(ask(number));
        }
        var closed = port.close(Duration.ofSeconds(20));
        resume.countDown();

        var answers = new ArrayList<String>();
        for (var client : clients) {
            answers.add(answer(client));
        }
        assertEquals(Collections.nCopies(CLIENTS, ANSWERED), answers);
        Await.result(closed);
        assertThrows(ConnectException.class, () -> ask(number).close());
    }

    private int listen() {
        server.requestHandler(request -> {
            listening.complete(((HttpServerConnection) request.connection())
                    .channelHandlerContext()
                    .channel()
                    .parent());
            request.response().putHeader("Connection", "close").end();
        });
        return Await.result(server.listen(0, InetAddress.getLoopbackAddress().getHostAddress()))
                .actualPort();
    }

    /** Keeps the thread that accepts connections busy, as another one that gets the processor would. */
    private CountDownLatch holdUpAccepting() {
        var held = new CountDownLatch(1);
        var resume = new CountDownLatch(1);
        listening.join().eventLoop().execute(() -> {
            held.countDown();
            await(resume);
        });
        await(held);
        return resume;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("no countdown is there");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Socket ask(int number) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), number);
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        var line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
        return line == null ? "nothing" : line;
    }
}
