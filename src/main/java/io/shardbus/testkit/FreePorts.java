package io.shardbus.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Free ports on the loopback, below those that the system gives to clients. A process reserves a block of ports, by a
 * socket that it holds at the first one, and gives none of them twice before it has reserved all other blocks. So
 * processes that run at the same time give different ports, also where each counts its process ids from 1, as in
 * containers.
 */
final class FreePorts {
    private static final int LOWEST = 12_000;
    private static final int BLOCKS = 95;
    /** Failure detection listens that far above. */
    private static final int OFFSET = 100;

    private static final int SIZE = 2 * OFFSET;

    private static int block = (int) (ProcessHandle.current().pid() % BLOCKS);
    private static int given;
    private static @Nullable ServerSocket reservation;

    private FreePorts() {}

    /** A port that was free a moment ago, as was the one on which the failure detection of a node there listens. */
    static synchronized int next() {
        for (int tries = 0; tries < BLOCKS * OFFSET; tries++) {
            int port = reserved() + ++given;
            if (isFree(port) && isFree(port + OFFSET)) {
                return port;
            }
        }
        throw noneFree();
    }

    /** The first port of a block that has ports left. */
    private static int reserved() {
        ServerSocket former = reservation;
        if (former == null || given == OFFSET - 1) {
            reservation = reserve();
            given = 0;
            close(former);
        }
        return LOWEST + block * SIZE;
    }

    private static ServerSocket reserve() {
        for (int tries = 0; tries < BLOCKS; tries++) {
            block = (block + 1) % BLOCKS;
            try {
                return new ServerSocket(LOWEST + block * SIZE, 1, InetAddress.getLoopbackAddress());
            } catch (IOException taken) {
                // by another process
            }
        }
        throw noneFree();
    }

    private static void close(@Nullable ServerSocket former) {
        try {
            if (former != null) {
                former.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static IllegalStateException noneFree() {
        return new IllegalStateException("no free port from " + LOWEST + " to " + (LOWEST + BLOCKS * SIZE - 1));
    }
}
