package io.shardbus.transport.seal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shared secret of all nodes of a cluster. It signs with HMAC-SHA256 and shows itself nowhere. Any thread. */
public final class ClusterSecret {
    static final int SIGNATURE = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int LEAST = 16;
    private static final int MOST = 4096;

    private final SecretKeySpec key;
    private final ThreadLocal<Mac> macs = ThreadLocal.withInitial(this::newMac);

    private ClusterSecret(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * Reads it; line ends and spaces at the end do not count.
     *
     * @throws IllegalArgumentException if the file cannot be read, or holds too little or too much
     */
    public static ClusterSecret read(String file) {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("option 'clusterSecretFile' = \"" + file + "\" cannot be read", e);
        }
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] <= ' ' && bytes[length - 1] >= 0) {
            length--;
        }
        if (length < LEAST || length > MOST) {
            throw new IllegalArgumentException("option 'clusterSecretFile' = \"" + file + "\" holds " + length
                    + " bytes: must be " + LEAST + ".." + MOST);
        }
        return of(Arrays.copyOf(bytes, length));
    }

    static ClusterSecret of(byte[] secret) {
        return new ClusterSecret(secret);
    }

    private Mac newMac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /**
     * @param purpose what the bytes are for: the same bytes have another signature for another purpose
     * @param end of the bytes that count, from the first on
     */
    byte[] sign(String purpose, byte[] bytes, int end) {
        Mac mac = macs.get();
        byte[] label = purpose.getBytes(StandardCharsets.UTF_8);
        mac.update(new byte[] {
            (byte) (label.length >> 24), (byte) (label.length >> 16), (byte) (label.length >> 8), (byte) label.length
        });
        mac.update(label);
        mac.update(bytes, 0, end);
        return mac.doFinal();
    }

    /**
     * By which nodes find out whether they have the same secret: half of what it signs for this alone, in hexadecimal
     * digits. A secret of random bytes cannot be found from it; one that is guessed is known from any seal.
     */
    public String fingerprint() {
        return HexFormat.of().formatHex(sign("fingerprint of a cluster's secret", new byte[0], 0), 0, SIGNATURE / 2);
    }

    @Override
    public String toString() {
        return "ClusterSecret";
    }
}
