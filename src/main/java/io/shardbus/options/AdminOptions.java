package io.shardbus.options;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options that guard the admin resources. Requests that change something always need the header {@code
 * X-Shardbus-Request: 1}, which a form on another web site cannot send.
 */
public final class AdminOptions {
    public static final boolean DEFAULT_READ_ONLY = true;
    private static final String READ_ONLY = "readOnly";
    public static final boolean DEFAULT_STATE_INSPECTION = false;
    private static final String ALLOWED_HOSTS = "allowedHosts";
    private static final String STATE_INSPECTION = "stateInspection";
    private static final String ENVIRONMENT = "environment";
    private static final String ENVIRONMENT_COLOUR = "environmentColour";

    /** The colours that the name of an environment can have on the page. */
    public static final List<String> ENVIRONMENT_COLOURS =
            List.of("grey", "red", "orange", "yellow", "green", "blue", "violet");

    public static final String DEFAULT_ENVIRONMENT_COLOUR = "grey";
    private static final int LONGEST_ENVIRONMENT = 30;

    /** What no name of a host has: a scheme, path or user, or a port, where an address of IPv6 has several colons. */
    private static final Pattern NO_NAME = Pattern.compile("[\\s/@]|^[^:]*:[^:]*$");

    private boolean readOnly = DEFAULT_READ_ONLY;
    private boolean stateInspection = DEFAULT_STATE_INSPECTION;
    private Set<String> allowedHosts = Set.of();
    private String environment = "";
    private String environmentColour = DEFAULT_ENVIRONMENT_COLOUR;

    /** The defaults: nothing can be changed, and the resources are reached by address or as localhost. */
    public AdminOptions() {}

    public AdminOptions(AdminOptions other) {
        readOnly = other.readOnly;
        stateInspection = other.stateInspection;
        allowedHosts = other.allowedHosts;
        environment = other.environment;
        environmentColour = other.environmentColour;
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException naming a key that is unknown, or has a wrong value
     */
    public AdminOptions(JsonObject json) {
        for (String key : json.fieldNames()) {
            Object value = json.getValue(key);
            if (key.equals(READ_ONLY) && value instanceof Boolean flag) {
                readOnly = flag;
            } else if (key.equals(STATE_INSPECTION) && value instanceof Boolean flag) {
                stateInspection = flag;
            } else if (key.equals(ALLOWED_HOSTS) && value instanceof JsonArray hosts) {
                setAllowedHosts(texts(hosts));
            } else if (key.equals(ENVIRONMENT) && value instanceof String text) {
                setEnvironment(text);
            } else if (key.equals(ENVIRONMENT_COLOUR) && value instanceof String text) {
                setEnvironmentColour(text);
            } else {
                throw new IllegalArgumentException("admin: '" + key + "' = " + value + ": the keys are " + READ_ONLY
                        + " and " + STATE_INSPECTION + ", booleans, " + ALLOWED_HOSTS + ", a list of host names, "
                        + ENVIRONMENT + " and " + ENVIRONMENT_COLOUR + ", texts");
            }
        }
    }

    private static Set<String> texts(JsonArray hosts) {
        Set<String> texts = new TreeSet<>();
        for (Object host : hosts) {
            if (!(host instanceof String text)) {
                throw new IllegalArgumentException("admin: " + ALLOWED_HOSTS + ": " + host + " is no host name");
            }
            texts.add(text);
        }
        return texts;
    }

    public boolean isReadOnly() {
        return readOnly;
    }

    /**
     * Sets whether requests that change something are refused with 403. Default: true. Set it to false only if every
     * client that can reach the resources may change the cluster: on the loopback, or behind an authentication handler.
     */
    public AdminOptions setReadOnly(boolean readOnly) {
        this.readOnly = readOnly;
        return this;
    }

    public boolean isStateInspection() {
        return stateInspection;
    }

    /**
     * Sets whether the state of entities whose class is {@code Inspectable} can be read here. Default: false. States
     * contain data of the application's users: restrict access by an authorizer that checks {@code
     * AdminAction.INSPECT_STATE}, and leave secrets out of the state.
     */
    public AdminOptions setStateInspection(boolean stateInspection) {
        this.stateInspection = stateInspection;
        return this;
    }

    public Set<String> getAllowedHosts() {
        return allowedHosts;
    }

    /**
     * The names under which clients reach the resources, beside localhost and addresses, which are always allowed; the
     * port does not matter. Requests whose {@code Host} header has another name are refused with 403. That protects
     * against DNS rebinding: a web site whose name leads to this node's address cannot read the resources through an
     * operator's browser. Default: none. The name {@code *} allows all.
     *
     * @throws IllegalArgumentException for an empty name, and for one with a scheme, user, port or path
     */
    public AdminOptions setAllowedHosts(Set<String> hosts) {
        Set<String> names = new TreeSet<>();
        for (String host : hosts) {
            if (host.isBlank()) {
                throw new IllegalArgumentException("admin: " + ALLOWED_HOSTS + ": a host name is empty");
            }
            if (NO_NAME.matcher(host).find()) {
                throw new IllegalArgumentException("admin: " + ALLOWED_HOSTS + ": '" + host
                        + "' is no host name: write the name alone, without scheme, user, port or path");
            }
            names.add(host.toLowerCase(Locale.ROOT));
        }
        allowedHosts = Collections.unmodifiableSet(names);
        return this;
    }

    public String getEnvironment() {
        return environment;
    }

    /**
     * Sets the name of the environment that the page shows in its header and in the title of its tab, as {@code prod}.
     * Default: empty, and the page shows none. Any client that can reach the page can read it.
     *
     * @param environment up to 30 characters
     * @throws IllegalArgumentException for a longer name, and for one with control characters
     */
    public AdminOptions setEnvironment(String environment) {
        if (environment.length() > LONGEST_ENVIRONMENT
                || environment.chars().anyMatch(Character::isISOControl)
                || !environment.equals(environment.strip())) {
            throw new IllegalArgumentException(
                    "admin: " + ENVIRONMENT + ": '" + environment + "' is not a name of up to " + LONGEST_ENVIRONMENT
                            + " characters without control characters, and blanks at its ends");
        }
        this.environment = environment;
        return this;
    }

    public String getEnvironmentColour() {
        return environmentColour;
    }

    /**
     * Sets the colour of the environment's name on the page. Default: grey. Without a {@linkplain #setEnvironment name}
     * nothing has it.
     *
     * @param colour one of {@link #ENVIRONMENT_COLOURS}
     * @throws IllegalArgumentException for another one
     */
    public AdminOptions setEnvironmentColour(String colour) {
        if (!ENVIRONMENT_COLOURS.contains(colour)) {
            throw new IllegalArgumentException("admin: " + ENVIRONMENT_COLOUR + ": '" + colour + "' is none of "
                    + String.join(", ", ENVIRONMENT_COLOURS));
        }
        this.environmentColour = colour;
        return this;
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put(READ_ONLY, readOnly)
                .put(STATE_INSPECTION, stateInspection)
                .put(ALLOWED_HOSTS, new JsonArray(List.copyOf(allowedHosts)))
                .put(ENVIRONMENT, environment)
                .put(ENVIRONMENT_COLOUR, environmentColour);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AdminOptions that
                && readOnly == that.readOnly
                && stateInspection == that.stateInspection
                && allowedHosts.equals(that.allowedHosts)
                && environment.equals(that.environment)
                && environmentColour.equals(that.environmentColour);
    }

    @Override
    public int hashCode() {
        return Objects.hash(readOnly, stateInspection, allowedHosts, environment, environmentColour);
    }

    @Override
    public String toString() {
        return toJson().encode();
    }
}
