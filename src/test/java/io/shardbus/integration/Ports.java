package io.shardbus.integration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Free ports on the loopback, below those that the system gives to clients, never the same twice in one JVM. */
public final class Ports {
    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 31_000;

    /** Failure detection listens that far above. */
    private static final int OFFSET = 100;

    private static int next = LOWEST + Math.floorMod(UUID.randomUUID().hashCode(), HIGHEST - LOWEST);

    private Ports() {}

    public static synchronized List<Integer> free(int count) {
        var ports = new ArrayList<Integer>();
        for (int tries = 0; ports.size() < count; tries++) {
            if (tries > HIGHEST - LOWEST) {
                throw new IllegalStateException("no free port from " + LOWEST + " to " + HIGHEST);
            }
            next = next < HIGHEST ? next + 1 : LOWEST;
            if (isFree(next) && isFree(next + OFFSET)) {
                ports.add(next);
            }
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
