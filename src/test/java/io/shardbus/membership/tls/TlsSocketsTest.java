package io.shardbus.membership.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestAuthority;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jgroups.util.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsSocketsTest {
    private static final int SECONDS = 20;
    private static final int MILLIS = 1000;

    private final TestAuthority authority = new TestAuthority("test");
    private final List<Socket> opened = new ArrayList<>();

    @TempDir
    private Path directory;

    private TlsSockets sockets;
    private ServerSocket port;

    @BeforeEach
    void open() throws IOException {
        sockets = of("one");
        port = sockets.createServerSocket("test");
        port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        port.close();
        for (var socket : opened) {
            socket.close();
        }
    }

    private TlsSockets of(String node) {
        return new TlsSockets(NodeTls.of(authority.node(directory, node)));
    }

    private Socket opened(Socket socket) {
        opened.add(socket);
        return socket;
    }

    private Socket silent() throws IOException {
        return opened(new Socket(InetAddress.getLoopbackAddress(), port.getLocalPort()));
    }

    private CompletableFuture<Socket> accepted() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return opened(port.accept());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Socket connected(TlsSockets client) throws IOException {
        var socket = opened(client.createSocket("test"));
        socket.connect(port.getLocalSocketAddress(), MILLIS);
        return socket;
    }

    @Test
    @DisplayName("bytes go both ways, the end of one end is the end of the other")
    void exchange() throws Exception {
        var accepting = accepted();
        var client = connected(of("two"));
        var server = accepting.get(SECONDS, TimeUnit.SECONDS);
        client.getOutputStream().write(new byte[] {1, 2});
        assertArrayEquals(new byte[] {1, 2}, server.getInputStream().readNBytes(2));
        server.getOutputStream().write(3);
        assertEquals(3, client.getInputStream().read());
        client.close();
        assertEquals(-1, server.getInputStream().read());
        assertEquals(0, sockets.refused());
    }

    @Test
    @DisplayName("clients that say nothing keep no other out, and are closed in time")
    void silentClients() throws Exception {
        var silent = new ArrayList<Socket>();
        for (int i = 0; i < TlsServerSocket.MOST + 10; i++) {
            silent.add(silent());
        }
        var accepting = accepted();
        connected(of("two")).getOutputStream().write(7);
        assertEquals(
                7, accepting.get(SECONDS, TimeUnit.SECONDS).getInputStream().read());
        for (var socket : silent) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SECONDS));
            assertEquals(-1, socket.getInputStream().read());
        }
    }

    @Test
    @DisplayName("a peer that takes the connection and does not answer costs a bounded time, once")
    void frozenPeer() throws Exception {
        try (var frozen = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var place = frozen.getLocalSocketAddress();
            var client = of("two");
            assertThrows(
                    SocketTimeoutException.class,
                    () -> opened(client.createSocket("test")).connect(place, MILLIS));
            assertThrows(
                    ConnectException.class,
                    () -> opened(client.createSocket("test")).connect(place, MILLIS));
        }
    }

    @Test
    @DisplayName("a refused client is counted and told with the option; one that only asks for the port is not")
    void refusals() throws Exception {
        try (var lines = new LogLines(TlsSockets.class.getName())) {
            silent().close();
            var other = new TestAuthority("other");
            var stranger = other.node(directory, "stranger");
            TestAuthority.trust(stranger, authority, other);
            try {
                connected(new TlsSockets(NodeTls.of(stranger)));
            } catch (IOException e) {
                // where the refusal comes before the client has finished
                assertTrue(e instanceof SSLException || e instanceof SocketException, e::toString);
            }
            Await.until(() -> "refused " + sockets.refused(), () -> sockets.refused() == 1);
            var plain = silent();
            plain.getOutputStream()
                    .write("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            Await.until(() -> "refused " + sockets.refused(), () -> sockets.refused() == 2);
            Await.until(
                    () -> "told " + lines.with(""),
                    () -> lines.with("tls.trust").size() == 1);
            assertTrue(
                    lines.with("WARN").get(0).contains("port " + port.getLocalPort()),
                    () -> lines.with("").get(0));
        }
    }

    @Test
    @DisplayName("this node says whom it does not trust")
    void distrust() {
        var other = new TlsSockets(NodeTls.of(new TestAuthority("other").node(directory, "stranger")));
        try (var lines = new LogLines(TlsSockets.class.getName())) {
            assertThrows(IOException.class, () -> connected(other));
            assertEquals(
                    1,
                    lines.with("cannot connect to").size(),
                    () -> lines.with("").toString());
        }
    }

    @Test
    @DisplayName("what JGroups could have otherwise is not made: it would not be encrypted")
    void nothingInPlain() throws Exception {
        assertInstanceOf(TlsSocket.class, opened(sockets.createSocket("x")));
        for (var method : SocketFactory.class.getMethods()) {
            if (method.getName().startsWith("create")
                    && method.getParameterCount() > 0
                    && !(method.getParameterCount() == 1 && method.getName().matches("create(Server)?Socket"))) {
                var thrown = assertThrows(InvocationTargetException.class, () -> invoke(method), method::toString);
                assertInstanceOf(UnsupportedOperationException.class, thrown.getCause(), method::toString);
            }
        }
    }

    private Object invoke(Method method) throws ReflectiveOperationException {
        var loopback = InetAddress.getLoopbackAddress();
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(type -> type == String.class
                        ? "localhost"
                        : type == int.class
                                ? (Object) 0
                                : type == InetAddress.class ? loopback : new InetSocketAddress(loopback, 0))
                .toArray();
        return method.invoke(sockets, Arrays.copyOf(arguments, arguments.length));
    }
}
