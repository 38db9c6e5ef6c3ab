package io.shardbus.membership.detection;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.stack.IpAddress;

/** Probes which ports accept connections and which refuse them. Every method blocks. */
public final class PeerPorts {
    private PeerPorts() {}

    /**
     * Result of a probe.
     *
     * @param listening the ports that accept connections
     * @param silent number of ports that neither accepted nor refused: a process may be there
     */
    record Look(List<IpAddress> listening, int silent) {}

    /** Blocks until each port has accepted or refused the connection, or no further port does for {@code millis}. */
    static Look look(Collection<IpAddress> ports, int millis) {
        Map<InetSocketAddress, IpAddress> asked = new LinkedHashMap<>();
        ports.forEach(port -> asked.put(new InetSocketAddress(port.getIpAddress(), port.getPort()), port));
        var answers = ask(asked.keySet(), millis);
        return new Look(
                answers.open.stream().map(asked::get).toList(),
                asked.size() - answers.open.size() - answers.refused.size());
    }

    /**
     * The ports whose host refuses connections; silence is no refusal. Blocks until each port has accepted or refused
     * the connection, or no further port does for {@code millis}.
     */
    public static List<InetSocketAddress> refusing(Collection<InetSocketAddress> ports, int millis) {
        return ask(ports, millis).refused;
    }

    private static Answers ask(Collection<InetSocketAddress> ports, int millis) {
        var channels = new ArrayList<SocketChannel>();
        var answers = new Answers();
        try (var selector = Selector.open()) {
            for (var port : ports) {
                begin(port, selector, channels, answers);
            }
            while (!selector.keys().isEmpty() && selector.select(millis) > 0) {
                finish(selector.selectedKeys(), answers);
                selector.selectNow();
            }
        } catch (IOException e) {
            throw new IllegalStateException("no connection can be tried", e);
        } finally {
            channels.forEach(PeerPorts::close);
        }
        return answers;
    }

    /** Answers of the ports until now. */
    private static final class Answers {
        private final List<InetSocketAddress> open = new ArrayList<>();
        private final List<InetSocketAddress> refused = new ArrayList<>();

        /** Whether the attempt has led to a connection; notes a connection and a refusal. */
        boolean reached(InetSocketAddress port, Attempt attempt) {
            try {
                if (attempt.connected()) {
                    open.add(port);
                    return true;
                }
            } catch (ConnectException e) {
                String message = e.getMessage();
                if (message != null && message.contains("Connection refused")) {
                    refused.add(port);
                }
            } catch (IOException unreachable) {
                // neither open nor refused
                return false;
            }
            return false;
        }
    }

    private static void begin(InetSocketAddress port, Selector selector, List<SocketChannel> channels, Answers answers)
            throws IOException {
        var channel = SocketChannel.open();
        channels.add(channel);
        channel.configureBlocking(false);
        if (!answers.reached(port, () -> channel.connect(port)) && channel.isConnectionPending()) {
            channel.register(selector, SelectionKey.OP_CONNECT, port);
        }
    }

    private static void finish(Set<SelectionKey> ready, Answers answers) {
        for (var key : List.copyOf(ready)) {
            answers.reached((InetSocketAddress) key.attachment(), ((SocketChannel) key.channel())::finishConnect);
            key.cancel();
        }
        ready.clear();
    }

    private interface Attempt {
        boolean connected() throws IOException;
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
