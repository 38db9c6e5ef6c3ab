package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options of direct connections between lanes of two nodes, which are used beside the event bus; a lane is one event
 * loop of a region. Nodes may differ: two nodes use such connections if both have them enabled. JSON keys are the names
 * of the properties. The setters check nothing: {@link #validate()} is called once, at start.
 */
public final class DirectOptions implements NestedOptions {
    public static final boolean DEFAULT_ENABLED = false;
    public static final String DEFAULT_HOST = "";
    public static final String DEFAULT_PORTS = "0";
    public static final String DEFAULT_TLS_KEY = "";
    public static final String DEFAULT_TLS_CERTIFICATE = "";
    public static final String DEFAULT_TLS_TRUST = "";

    private static final String NAME = "direct";
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:%_-]{0,255}");
    private static final Pattern PORTS = Pattern.compile("0|[1-9]\\d{0,4}(-[1-9]\\d{0,4})?");
    private static final String PORTS_ALLOWED = "0, one port, or a range of ports such as 4000-4031, up to 65535";
    private static final Pattern PATH = Pattern.compile("[^\\x00]{0,4096}");
    private static final String PATH_ALLOWED = "a path of up to 4096 characters";
    private static final int LAST_PORT = 65_535;

    private static final List<OptionField<DirectOptions, ?>> FIELDS = List.of(
            OptionField.flag(NAME + ".enabled", DirectOptions::isEnabled, DirectOptions::setEnabled),
            OptionField.text(
                    NAME + ".host",
                    HOST,
                    "the name or address of an interface of this node, or empty",
                    DirectOptions::getHost,
                    DirectOptions::setHost),
            OptionField.text(NAME + ".ports", PORTS, PORTS_ALLOWED, DirectOptions::getPorts, DirectOptions::setPorts),
            OptionField.text(NAME + ".tlsKey", PATH, PATH_ALLOWED, DirectOptions::getTlsKey, DirectOptions::setTlsKey),
            OptionField.text(
                    NAME + ".tlsCertificate",
                    PATH,
                    PATH_ALLOWED,
                    DirectOptions::getTlsCertificate,
                    DirectOptions::setTlsCertificate),
            OptionField.text(
                    NAME + ".tlsTrust", PATH, PATH_ALLOWED, DirectOptions::getTlsTrust, DirectOptions::setTlsTrust));

    private boolean enabled = DEFAULT_ENABLED;
    private String host = DEFAULT_HOST;
    private String ports = DEFAULT_PORTS;
    private String tlsKey = DEFAULT_TLS_KEY;
    private String tlsCertificate = DEFAULT_TLS_CERTIFICATE;
    private String tlsTrust = DEFAULT_TLS_TRUST;

    public DirectOptions() {}

    public DirectOptions(DirectOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public DirectOptions(JsonObject json) {
        OptionField.read(FIELDS, NAME, json, this);
    }

    @Override
    public JsonObject toJson() {
        return OptionField.toJson(FIELDS, this);
    }

    @Override
    public void validate() {
        FIELDS.forEach(field -> field.check(this));
        if (firstPort() > lastPort() || lastPort() > LAST_PORT) {
            throw OptionField.refusal(NAME + ".ports", ports, PORTS_ALLOWED);
        }
        long tlsFiles = Stream.of(tlsKey, tlsCertificate, tlsTrust)
                .filter(path -> !path.isEmpty())
                .count();
        if (tlsFiles != 0 && tlsFiles != 3) {
            throw OptionField.refusal(
                    NAME, toJson(), "given all of tlsKey, tlsCertificate and tlsTrust, or none of them");
        }
    }

    public boolean isEnabled() {
        return enabled;
    }

    /** Sets whether lanes of this node connect to lanes of other nodes that have this enabled, too. */
    public DirectOptions setEnabled(boolean enabled) {
        this.enabled = enabled;
        return this;
    }

    public String getHost() {
        return host;
    }

    /**
     * Sets the host at which the lanes of this node listen, and to which other nodes connect; empty: the published host
     * of the event bus. With 0.0.0.0 or :: lanes listen at all addresses, and other nodes connect to the published host
     * of the event bus.
     */
    public DirectOptions setHost(String host) {
        this.host = Objects.requireNonNull(host, "host");
        return this;
    }

    public String getPorts() {
        return ports;
    }

    /**
     * The ports at which lanes listen. "0": any free ports. A range such as "4000-4031", which nothing else uses:
     * each lane of each type takes one port of the range.
     */
    public DirectOptions setPorts(String ports) {
        this.ports = Objects.requireNonNull(ports, "ports");
        return this;
    }

    /** The first port that a lane may take; 0 for any. */
    public int firstPort() {
        return Integer.parseInt(ports.replaceFirst("-.*", ""));
    }

    /** The last port that a lane may take; 0 for any. */
    public int lastPort() {
        return Integer.parseInt(ports.replaceFirst(".*-", ""));
    }

    public String getTlsKey() {
        return tlsKey;
    }

    /**
     * The PEM file of this node's private key. If this and the other two files are set, the connections use TLS, and
     * every node must show a certificate.
     */
    public DirectOptions setTlsKey(String tlsKey) {
        this.tlsKey = Objects.requireNonNull(tlsKey, "tlsKey");
        return this;
    }

    public String getTlsCertificate() {
        return tlsCertificate;
    }

    /** The PEM file of this node's certificate. */
    public DirectOptions setTlsCertificate(String tlsCertificate) {
        this.tlsCertificate = Objects.requireNonNull(tlsCertificate, "tlsCertificate");
        return this;
    }

    public String getTlsTrust() {
        return tlsTrust;
    }

    /**
     * The PEM file of the authority that signed the certificates of all nodes. It must sign for these nodes only, as
     * host names are not checked.
     */
    public DirectOptions setTlsTrust(String tlsTrust) {
        this.tlsTrust = Objects.requireNonNull(tlsTrust, "tlsTrust");
        return this;
    }

    /** Whether the connections are encrypted. */
    public boolean isTls() {
        return !tlsKey.isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DirectOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "DirectOptions" + toJson().encode();
    }
}
