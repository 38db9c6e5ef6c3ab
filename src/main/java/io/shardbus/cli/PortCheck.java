package io.shardbus.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Check that a port accepts connections from here. */
final class PortCheck {
    private static final int TIMEOUT_MS = 2_000;
    private static final String CHECK = "ports";

    private PortCheck() {}

    static Finding of(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("[1-9][0-9]{0,4}")) {
            throw new CommandFailure(ExitCode.USAGE, "'" + text + "' is no HOST:PORT");
        }
        String host = text.substring(0, colon);
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port > 65_535) {
            throw new CommandFailure(ExitCode.USAGE, "'" + text + "' is no HOST:PORT");
        }
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            return Finding.ok(CHECK, text + " is open");
        } catch (IOException e) {
            return Finding.problem(
                    CHECK,
                    text + " cannot be reached: " + e.getMessage(),
                    "start the node, bind the port to an address that others reach, or open the firewall");
        }
    }
}
