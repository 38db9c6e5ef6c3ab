package io.shardbus.membership.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Key manager with the last valid certificate and key of the files. A handshake that began with the previous
 * certificate and key ends with those.
 */
final class CurrentKey extends X509ExtendedKeyManager {
    private volatile TlsIdentity current;
    private volatile TlsIdentity previous;

    CurrentKey(TlsIdentity first) {
        current = first;
        previous = first;
    }

    TlsIdentity current() {
        return current;
    }

    void replace(TlsIdentity next) {
        previous = current;
        current = next;
    }

    private @Nullable TlsIdentity named(String alias) {
        var now = current;
        if (now.alias().equals(alias)) {
            return now;
        }
        var before = previous;
        return before.alias().equals(alias) ? before : null;
    }

    /** The alias if a type fits the key; a type may also name the authority's key, as EC_RSA does. */
    private @Nullable String alias(String... types) {
        var now = current;
        var algorithm = now.key().getAlgorithm();
        return Arrays.stream(types).map(type -> type.replaceFirst("_.*", "")).anyMatch(algorithm::equals)
                ? now.alias()
                : null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(type);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(type);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return aliases(type);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return aliases(type);
    }

    private String @Nullable [] aliases(String type) {
        var alias = alias(type);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        var identity = named(alias);
        return identity == null ? null : identity.chainArray();
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        var identity = named(alias);
        return identity == null ? null : identity.key();
    }
}
