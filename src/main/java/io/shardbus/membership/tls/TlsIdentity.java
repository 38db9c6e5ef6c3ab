package io.shardbus.membership.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A node's certificate chain with its key, and the authorities that the node trusts, all checked.
 *
 * @param alias name of the key and certificate in the handshake; a new one after each reload
 */
record TlsIdentity(String alias, PrivateKey key, List<X509Certificate> chain, X509ExtendedTrustManager trust) {
    private static final byte[] PROBE = "shardbus".getBytes(StandardCharsets.US_ASCII);

    /** Name that JSSE gives the authentication of every cipher suite of TLS 1.3. */
    private static final String ANY_AUTHENTICATION = "UNKNOWN";

    /** @throws IllegalArgumentException naming the option whose file is invalid, and why */
    static TlsIdentity of(PemFiles files, String alias) {
        var chain = files.chain();
        var own = chain.get(0);
        var algorithm = own.getPublicKey().getAlgorithm();
        var key = files.key(algorithm);
        if (!belongTogether(key, own.getPublicKey())) {
            throw files.doesNotFit(algorithm);
        }
        requireValidNow(own);
        var identity = new TlsIdentity(alias, key, chain, trust(files.authorities()));
        identity.requireTrusted();
        return identity;
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    X509Certificate[] chainArray() {
        return chain.toArray(X509Certificate[]::new);
    }

    String describe() {
        var own = certificate();
        return own.getSubjectX500Principal().getName() + ", number " + own.getSerialNumber() + ", valid until "
                + own.getNotAfter().toInstant();
    }

    private static void requireValidNow(X509Certificate own) {
        try {
            own.checkValidity();
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    "tls.certificate: the certificate of "
                            + own.getSubjectX500Principal().getName() + " is valid from "
                            + own.getNotBefore().toInstant() + " until "
                            + own.getNotAfter().toInstant()
                            + ", and not now: give this node another one, or set its clock",
                    e);
        }
    }

    /** Requires that the node trusts its own certificate as client and server, as peers have the same authorities. */
    private void requireTrusted() {
        try {
            trust.checkServerTrusted(chainArray(), ANY_AUTHENTICATION);
            trust.checkClientTrusted(chainArray(), ANY_AUTHENTICATION);
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    "tls.certificate: the authorities in tls.trust do not vouch for the certificate of "
                            + certificate().getSubjectX500Principal().getName()
                            + " as client and server: " + e.getMessage(),
                    e);
        }
    }

    private static X509ExtendedTrustManager trust(List<X509Certificate> authorities) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            var factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every Java has PKIX", e);
        }
    }

    private static boolean belongTogether(PrivateKey key, PublicKey certified) {
        var algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        try {
            var signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            var signed = signature.sign();
            signature.initVerify(certified);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "TlsIdentity[" + describe() + "]";
    }
}
