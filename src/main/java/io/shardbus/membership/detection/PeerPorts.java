package io.shardbus.membership.detection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jgroups.stack.IpAddress;

/** Which of several ports take connections. */
final class PeerPorts {
    private PeerPorts() {}

    /** Blocks until all have answered or refused, for {@code millis} after the last of them that did at the longest. */
    static List<IpAddress> listening(Collection<IpAddress> ports, int millis) {
        var channels = new ArrayList<SocketChannel>();
        var open = new ArrayList<IpAddress>();
        try (var selector = Selector.open()) {
            for (var port : ports) {
                begin(port, selector, channels, open);
            }
            while (!selector.keys().isEmpty() && selector.select(millis) > 0) {
                finish(selector.selectedKeys(), open);
                selector.selectNow();
            }
        } catch (IOException e) {
            throw new IllegalStateException("no connection can be tried", e);
        } finally {
            channels.forEach(PeerPorts::close);
        }
        return open;
    }

    private static void begin(IpAddress port, Selector selector, List<SocketChannel> channels, List<IpAddress> open)
            throws IOException {
        var channel = SocketChannel.open();
        channels.add(channel);
        channel.configureBlocking(false);
        if (reached(() -> channel.connect(new InetSocketAddress(port.getIpAddress(), port.getPort())))) {
            open.add(port);
        } else if (channel.isConnectionPending()) {
            channel.register(selector, SelectionKey.OP_CONNECT, port);
        }
    }

    private static void finish(Set<SelectionKey> ready, List<IpAddress> open) {
        for (var key : ready.stream().collect(Collectors.toList())) {
            if (reached(((SocketChannel) key.channel())::finishConnect)) {
                open.add((IpAddress) key.attachment());
            }
            key.cancel();
        }
        ready.clear();
    }

    private interface Attempt {
        boolean connected() throws IOException;
    }

    /** A refusal is an answer: nobody is there. */
    private static boolean reached(Attempt attempt) {
        try {
            return attempt.connected();
        } catch (IOException nobody) {
            return false;
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
