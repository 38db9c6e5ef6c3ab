package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Meters of this node, registered without code of the application. JSON keys are the names of the properties. The
 * setters check nothing: {@link #validate()} is called once, at start.
 */
public final class MetricsOptions implements NestedOptions {
    public static final String DEFAULT_REGISTRY = "";

    private static final Pattern REGISTRY = Pattern.compile("[^\\x00]{0,128}");

    private static final List<OptionField<MetricsOptions, ?>> FIELDS = List.of(OptionField.text(
            "metrics.registry",
            REGISTRY,
            "a name of up to 128 characters",
            MetricsOptions::getRegistry,
            MetricsOptions::setRegistry));

    private String registry = DEFAULT_REGISTRY;

    public MetricsOptions() {}

    public MetricsOptions(MetricsOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public MetricsOptions(JsonObject json) {
        OptionField.read(FIELDS, "metrics", json, this);
    }

    @Override
    public JsonObject toJson() {
        return OptionField.toJson(FIELDS, this);
    }

    @Override
    public void validate() {
        FIELDS.forEach(field -> field.check(this));
    }

    public String getRegistry() {
        return registry;
    }

    /**
     * Sets the registry of vertx-micrometer-metrics in which the meters of this node are registered, by the name that
     * {@code MicrometerMetricsOptions.setRegistryName} gave it ({@code default} where it gave none); empty: none. Up
     * to 128 characters.
     */
    public MetricsOptions setRegistry(String registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MetricsOptions that && registry.equals(that.registry);
    }

    @Override
    public int hashCode() {
        return registry.hashCode();
    }

    @Override
    public String toString() {
        return "MetricsOptions" + toJson().encode();
    }
}
