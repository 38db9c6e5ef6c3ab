package io.shardbus.options;

import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Mutual TLS between the nodes of a cluster: event bus, JGroups with its failure detection, and connections from lane
 * to lane. JSON keys are the names of the properties. The setters check nothing: {@link #validate()} is called once, at
 * start. docs/guides/tls.md says how to use them.
 */
public final class TlsOptions {
    public static final String DEFAULT_MINIMUM_VERSION = "TLSv1.3";
    public static final long DEFAULT_RELOAD_INTERVAL_MS = 10_000;

    private static final String OLDER_VERSION = "TLSv1.2";
    private static final long HANDSHAKE_SECONDS = 5;
    private static final String NAME = "tls";
    private static final Pattern PATH = Pattern.compile("[^\\x00]{1,4096}");
    private static final String PATH_ALLOWED = "the path of a PEM file";

    private static final List<OptionField<TlsOptions, ?>> FIELDS = List.of(
            OptionField.text(
                    NAME + ".certificate", PATH, PATH_ALLOWED, TlsOptions::getCertificate, TlsOptions::setCertificate),
            OptionField.text(NAME + ".key", PATH, PATH_ALLOWED, TlsOptions::getKey, TlsOptions::setKey),
            OptionField.text(NAME + ".trust", PATH, PATH_ALLOWED, TlsOptions::getTrust, TlsOptions::setTrust),
            OptionField.choice(
                    NAME + ".minimumVersion",
                    List.of(DEFAULT_MINIMUM_VERSION, OLDER_VERSION),
                    TlsOptions::getMinimumVersion,
                    TlsOptions::setMinimumVersion),
            OptionField.whole(
                    NAME + ".reloadIntervalMs",
                    100,
                    86_400_000,
                    TlsOptions::getReloadIntervalMs,
                    TlsOptions::setReloadIntervalMs));

    private String certificate = "";
    private String key = "";
    private String trust = "";
    private String minimumVersion = DEFAULT_MINIMUM_VERSION;
    private long reloadIntervalMs = DEFAULT_RELOAD_INTERVAL_MS;

    public TlsOptions() {}

    public TlsOptions(TlsOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public TlsOptions(JsonObject json) {
        OptionField.read(FIELDS, NAME, json, this);
    }

    public JsonObject toJson() {
        return OptionField.toJson(FIELDS, this);
    }

    /**
     * Checks the values, but not the files.
     *
     * @throws IllegalArgumentException naming key, value and allowed range
     */
    public void validate() {
        FIELDS.forEach(field -> field.check(this));
    }

    public String getCertificate() {
        return certificate;
    }

    /**
     * The PEM file of this node's certificate, followed by the certificates of the authorities between it and the
     * trusted one.
     */
    public TlsOptions setCertificate(String certificate) {
        this.certificate = Objects.requireNonNull(certificate, "certificate");
        return this;
    }

    public String getKey() {
        return key;
    }

    /** The PEM file of this node's private key: PKCS#8, not encrypted. */
    public TlsOptions setKey(String key) {
        this.key = Objects.requireNonNull(key, "key");
        return this;
    }

    public String getTrust() {
        return trust;
    }

    /**
     * The PEM file of the authorities that sign the certificates of the nodes. Every certificate of theirs makes its
     * holder a member of the cluster, as host names are not checked: they must sign for nodes of this cluster only.
     */
    public TlsOptions setTrust(String trust) {
        this.trust = Objects.requireNonNull(trust, "trust");
        return this;
    }

    public String getMinimumVersion() {
        return minimumVersion;
    }

    /** The lowest version that is accepted: TLSv1.3, or TLSv1.2 to accept both. */
    public TlsOptions setMinimumVersion(String minimumVersion) {
        this.minimumVersion = Objects.requireNonNull(minimumVersion, "minimumVersion");
        return this;
    }

    public long getReloadIntervalMs() {
        return reloadIntervalMs;
    }

    /**
     * Sets the interval of the checks for changed files, 100 to 86,400,000 ms; connections that begin after a check use
     * the files as that check found them.
     */
    public TlsOptions setReloadIntervalMs(long reloadIntervalMs) {
        this.reloadIntervalMs = reloadIntervalMs;
        return this;
    }

    /** The versions of the protocol that a connection may use. */
    public Set<String> versions() {
        return minimumVersion.equals(OLDER_VERSION)
                ? Set.of(DEFAULT_MINIMUM_VERSION, OLDER_VERSION)
                : Set.of(DEFAULT_MINIMUM_VERSION);
    }

    /**
     * Makes the event bus accept and open only connections with these certificates at both ends; for {@code
     * VertxOptions.setEventBusOptions}.
     */
    public EventBusOptions secure(EventBusOptions bus) {
        return bus.setSsl(true)
                .setTrustAll(false)
                .setClientAuth(ClientAuth.REQUIRED)
                .setKeyCertOptions(
                        new PemKeyCertOptions().setKeyPath(absolute(key)).setCertPath(absolute(certificate)))
                .setTrustOptions(new PemTrustOptions().addCertPath(absolute(trust)))
                .setEnabledSecureTransportProtocols(versions())
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
    }

    private static String absolute(String path) {
        return Path.of(path).toAbsolutePath().toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TlsOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "TlsOptions" + toJson().encode();
    }
}
