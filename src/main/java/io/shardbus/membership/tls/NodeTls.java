package io.shardbus.membership.tls;

import io.shardbus.options.TlsOptions;
import io.shardbus.transport.tls.TlsMaterial;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of all connections between one node and others. New connections use the last valid files; existing connections
 * are not affected. Any thread.
 */
public final class NodeTls {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTls.class);

    private final TlsOptions options;
    private final CurrentKey key;
    private final CurrentTrust trust;
    private final SSLContext context;

    /** The files at the last successful load; used under the lock of {@link #reload}. */
    private PemFiles seen;

    private @Nullable String complaint;
    private int reads = 1;

    private NodeTls(TlsOptions options, PemFiles files) {
        var identity = TlsIdentity.of(files, alias(1));
        this.options = options;
        this.seen = files;
        this.key = new CurrentKey(identity);
        this.trust = new CurrentTrust(key);
        this.context = context(key, trust);
        LOG.info("TLS between nodes as {}", identity.describe());
    }

    /**
     * Reads the files; blocks.
     *
     * @throws IllegalArgumentException naming the option that is invalid, or whose file is
     */
    public static NodeTls of(TlsOptions options) {
        options.validate();
        return new NodeTls(new TlsOptions(options), PemFiles.read(options));
    }

    private static SSLContext context(KeyManager key, TrustManager trust) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {key}, new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    private static String alias(int reads) {
        return "node-" + reads;
    }

    public long reloadIntervalMs() {
        return options.getReloadIntervalMs();
    }

    /**
     * Loads changed files if they are valid; otherwise keeps the present certificate and logs the reason once. Blocks.
     * If certificate and key are replaced one after the other, they do not match for a moment: the next check loads
     * both.
     */
    public synchronized void reload() {
        try {
            var files = PemFiles.read(options);
            if (files.holdTheSameAs(seen)) {
                return;
            }
            reads++;
            var identity = TlsIdentity.of(files, alias(reads));
            key.replace(identity);
            // only now: invalid files may become valid without a change, as a certificate that is not valid yet
            seen = files;
            complaint = null;
            LOG.info("TLS between nodes from now on as {}", identity.describe());
        } catch (IllegalArgumentException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String reason) {
        if (!Objects.equals(reason, complaint)) {
            complaint = reason;
            LOG.warn(
                    "the TLS files are not valid, this node keeps its certificate ({}): {}",
                    key.current().describe(),
                    reason);
        }
    }

    /** TLS material for the event bus and for direct connections between lanes. */
    public TlsMaterial material() {
        return new TlsMaterial(KeyCertOptions.wrap(key), TrustOptions.wrap(trust), options.versions());
    }

    TlsIdentity identity() {
        return key.current();
    }

    SSLContext context() {
        return context;
    }

    String[] versions() {
        return List.copyOf(options.versions()).toArray(String[]::new);
    }
}
