package io.shardbus.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports on the loopback, below those that the system gives to clients, never the same twice in one process;
 * processes begin at different places.
 */
final class FreePorts {
    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 31_000;
    /** Failure detection listens that far above. */
    private static final int OFFSET = 100;

    private static final int RANGE = HIGHEST - LOWEST;
    private static final int APART = 307;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * APART % RANGE));

    private FreePorts() {}

    /** A port that was free a moment ago, as was the one on which the failure detection of a node there listens. */
    static int next() {
        for (int tries = 0; tries < RANGE; tries++) {
            int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), RANGE);
            if (isFree(port) && isFree(port + OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + LOWEST + " to " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
