package io.shardbus.integration;

import io.shardbus.options.TlsOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.x500.X500Principal;

/** An authority that signs certificates of test nodes; each node's files are in a directory of its own. */
public final class TestAuthority {
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int TIME = 0x17;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final byte[] ECDSA_WITH_SHA256 = bytes(0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
    private static final byte[] BASIC_CONSTRAINTS = bytes(0x06, 0x03, 0x55, 0x1d, 0x13);
    private static final byte[] TRUE = bytes(0x01, 0x01, 0xff);
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final AtomicInteger NUMBERS = new AtomicInteger(1);

    private final X500Principal name;
    private final KeyPair keys = pair();
    private final byte[] certificate;

    public TestAuthority(String name) {
        this.name = new X500Principal("CN=" + name);
        this.certificate = signed(this.name, keys, Instant.now(), true);
    }

    /** A node with a certificate that is valid now: its files, in a new directory. */
    public TlsOptions node(Path parent, String node) {
        var directory = parent.resolve(node);
        var options = new TlsOptions()
                .setCertificate(directory.resolve("node.pem").toString())
                .setKey(directory.resolve("key.pem").toString())
                .setTrust(directory.resolve("ca.pem").toString());
        issue(options, node);
        trust(options, this);
        return options;
    }

    /** Puts a new key and its certificate in the place of those that are there. */
    public void issue(TlsOptions files, String node) {
        issue(files, node, Instant.now());
    }

    /** @param middle of the day for which the certificate is valid */
    public void issue(TlsOptions files, String node, Instant middle) {
        var own = pair();
        var chain = signed(new X500Principal("CN=" + node), own, middle, false);
        write(files.getKey(), pem("PRIVATE KEY", own.getPrivate().getEncoded()));
        write(files.getCertificate(), pem("CERTIFICATE", chain));
    }

    /** Has a node trust these authorities, and no other. */
    public static void trust(TlsOptions files, TestAuthority... authorities) {
        var all = new StringBuilder();
        for (var authority : authorities) {
            all.append(pem("CERTIFICATE", authority.certificate));
        }
        write(files.getTrust(), all.toString());
    }

    private static String pem(String type, byte[] content) {
        var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }

    /** At one stroke, as tools that renew certificates do. */
    private static void write(String path, String content) {
        try {
            var target = Path.of(path);
            Files.createDirectories(target.getParent());
            var next = Files.writeString(target.resolveSibling(target.getFileName() + ".new"), content);
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] signed(X500Principal subject, KeyPair owner, Instant middle, boolean authority) {
        var validity = der(SEQUENCE, time(middle.minus(Duration.ofHours(12))), time(middle.plus(Duration.ofHours(12))));
        var constraints = der(
                EXTENSIONS,
                der(SEQUENCE, der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE)))));
        var content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, bytes(2))),
                der(INTEGER, bytes(1, NUMBERS.getAndIncrement())),
                der(SEQUENCE, ECDSA_WITH_SHA256),
                name.getEncoded(),
                validity,
                subject.getEncoded(),
                owner.getPublic().getEncoded(),
                authority ? constraints : new byte[0]);
        var signature = der(BIT_STRING, bytes(0), sign(keys.getPrivate(), content));
        return der(SEQUENCE, content, der(SEQUENCE, ECDSA_WITH_SHA256), signature);
    }

    private static byte[] time(Instant time) {
        return der(TIME, FORM.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] sign(PrivateKey key, byte[] content) {
        try {
            var signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(content);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair pair() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] der(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (var part : parts) {
            content.writeBytes(part);
        }
        var all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            all.writeBytes(bytes(0x82, length >> 8, length));
        } else if (length >= 0x80) {
            all.writeBytes(bytes(0x81, length));
        } else {
            all.write(length);
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    private static byte[] bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
