package io.shardbus.membership;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Identifies the network of one running system, by the kernel's boot id and the network namespace. Two processes with
 * the same mark cannot listen on the same address and port at the same time; an address that has moved to another
 * machine has another mark there.
 */
final class HostMark {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NETWORK = Path.of("/proc/self/ns/net");
    private static final int BYTES = 6;

    private HostMark() {}

    /** Twelve hexadecimal digits; empty if the system does not show both. */
    static String own() {
        return of(BOOT, NETWORK);
    }

    static String of(Path boot, Path network) {
        try {
            var text = Files.readString(boot).strip() + " " + Files.readSymbolicLink(network);
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (IOException | UnsupportedOperationException | NoSuchAlgorithmException e) {
            // not Linux, or a system that hides it: no death can be proven by an address
            return "";
        }
    }
}
