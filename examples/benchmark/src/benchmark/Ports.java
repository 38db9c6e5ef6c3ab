package benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of the loopback, below those that the system gives to clients. */
final class Ports {
    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 31_000;

    /** Failure detection listens that far above. */
    private static final int OFFSET = 100;

    private Ports() {}

    static List<Integer> free(int count) {
        var ports = new ArrayList<Integer>();
        for (int tries = 0; ports.size() < count && tries < HIGHEST - LOWEST; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (!ports.contains(port) && isFree(port) && isFree(port + OFFSET)) {
                ports.add(port);
            }
        }
        if (ports.size() < count) {
            throw new IllegalStateException("no free port from " + LOWEST + " to " + HIGHEST);
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
