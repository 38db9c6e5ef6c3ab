package io.shardbus.membership.tls;

import io.shardbus.options.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Content of the three PEM files at one moment. */
final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");

    private final TlsOptions options;
    private final byte[] certificate;
    private final byte[] key;
    private final byte[] trust;

    private PemFiles(TlsOptions options) {
        this.options = options;
        this.certificate = bytes("certificate", options.getCertificate());
        this.key = bytes("key", options.getKey());
        this.trust = bytes("trust", options.getTrust());
    }

    /**
     * Blocks.
     *
     * @throws IllegalArgumentException if a file cannot be read
     */
    static PemFiles read(TlsOptions options) {
        return new PemFiles(options);
    }

    private static byte[] bytes(String option, String path) {
        try {
            return Files.readAllBytes(Path.of(path));
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("tls." + option + ": cannot read the file " + path + ": " + e, e);
        }
    }

    boolean holdTheSameAs(PemFiles other) {
        return Arrays.equals(certificate, other.certificate)
                && Arrays.equals(key, other.key)
                && Arrays.equals(trust, other.trust);
    }

    /** The certificate chain, the node's own certificate first. */
    List<X509Certificate> chain() {
        return certificates("certificate", options.getCertificate(), certificate);
    }

    List<X509Certificate> authorities() {
        return certificates("trust", options.getTrust(), trust);
    }

    private static List<X509Certificate> certificates(String option, String path, byte[] pem) {
        try {
            var found = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (found.isEmpty()) {
                throw new IllegalArgumentException("tls." + option + ": " + path + " holds no certificate in PEM");
            }
            return found.stream().map(X509Certificate.class::cast).toList();
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    "tls." + option + ": " + path + " holds no certificate in PEM: " + e.getMessage(), e);
        }
    }

    /**
     * The private key.
     *
     * @param algorithm of the certificate's key
     * @throws IllegalArgumentException if the file has no such key, in PKCS#8 without a password
     */
    PrivateKey key(String algorithm) {
        Matcher block = KEY.matcher(new String(key, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IllegalArgumentException("tls.key: " + options.getKey()
                    + " holds no private key in PEM as PKCS#8 without a password (-----BEGIN PRIVATE KEY-----); "
                    + "convert it:"
                    + " openssl pkcs8 -topk8 -nocrypt -in <old> -out <new>");
        }
        try {
            var encoded = Base64.getMimeDecoder().decode(block.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // without the cause, whose text may contain the key
            throw doesNotFit(algorithm);
        }
    }

    IllegalArgumentException doesNotFit(String algorithm) {
        return new IllegalArgumentException("tls.key: " + options.getKey() + " does not hold the " + algorithm
                + " key of the certificate in " + options.getCertificate());
    }
}
