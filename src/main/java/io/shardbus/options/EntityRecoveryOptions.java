package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of the restart of remembered entities. JSON keys are the names of the properties; times are milliseconds. The
 * setters check nothing: {@link #validate()} is called once, at start. docs/guides/remembered-entities.md says what
 * they do.
 */
public final class EntityRecoveryOptions implements NestedOptions {
    public static final String ALL = "all";
    public static final String CONSTANT = "constant";

    public static final String DEFAULT_STRATEGY = ALL;
    public static final int DEFAULT_RATE = 5;
    public static final long DEFAULT_INTERVAL_MS = 100;
    public static final long DEFAULT_RESTART_BACKOFF_MS = 1000;
    public static final long DEFAULT_RESTART_MAX_BACKOFF_MS = 60_000;

    private static final String NAME = "entityRecovery";

    private static final List<OptionField<EntityRecoveryOptions, ?>> FIELDS = List.of(
            OptionField.choice(
                    NAME + ".strategy",
                    List.of(ALL, CONSTANT),
                    EntityRecoveryOptions::getStrategy,
                    EntityRecoveryOptions::setStrategy),
            OptionField.whole(
                    NAME + ".rate",
                    1,
                    1_000_000,
                    options -> (long) options.getRate(),
                    (options, rate) -> options.setRate(OptionField.asInt(rate))),
            OptionField.whole(
                    NAME + ".intervalMs",
                    1,
                    3_600_000,
                    EntityRecoveryOptions::getIntervalMs,
                    EntityRecoveryOptions::setIntervalMs),
            OptionField.whole(
                    NAME + ".restartBackoffMs",
                    10,
                    3_600_000,
                    EntityRecoveryOptions::getRestartBackoffMs,
                    EntityRecoveryOptions::setRestartBackoffMs),
            OptionField.whole(
                    NAME + ".restartMaxBackoffMs",
                    10,
                    3_600_000,
                    EntityRecoveryOptions::getRestartMaxBackoffMs,
                    EntityRecoveryOptions::setRestartMaxBackoffMs));

    private String strategy = DEFAULT_STRATEGY;
    private int rate = DEFAULT_RATE;
    private long intervalMs = DEFAULT_INTERVAL_MS;
    private long restartBackoffMs = DEFAULT_RESTART_BACKOFF_MS;
    private long restartMaxBackoffMs = DEFAULT_RESTART_MAX_BACKOFF_MS;

    public EntityRecoveryOptions() {}

    public EntityRecoveryOptions(EntityRecoveryOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public EntityRecoveryOptions(JsonObject json) {
        OptionField.read(FIELDS, NAME, json, this);
    }

    @Override
    public JsonObject toJson() {
        return OptionField.toJson(FIELDS, this);
    }

    @Override
    public void validate() {
        FIELDS.forEach(field -> field.check(this));
        if (restartMaxBackoffMs < restartBackoffMs) {
            throw OptionField.refusal(
                    NAME + ".restartMaxBackoffMs",
                    restartMaxBackoffMs,
                    "at least restartBackoffMs, which is " + restartBackoffMs);
        }
    }

    public String getStrategy() {
        return strategy;
    }

    /**
     * "all": a region starts its entities as fast as it can while it still serves messages; "constant": at a fixed
     * rate.
     */
    public EntityRecoveryOptions setStrategy(String strategy) {
        this.strategy = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    public int getRate() {
        return rate;
    }

    /** With "constant": entities that a region starts in each interval. 1 to 1,000,000. */
    public EntityRecoveryOptions setRate(int rate) {
        this.rate = rate;
        return this;
    }

    public long getIntervalMs() {
        return intervalMs;
    }

    /** With "constant": the interval in which {@code rate} entities start. Milliseconds, 1 to 3,600,000. */
    public EntityRecoveryOptions setIntervalMs(long intervalMs) {
        this.intervalMs = intervalMs;
        return this;
    }

    public long getRestartBackoffMs() {
        return restartBackoffMs;
    }

    /**
     * The pause before an entity that stopped without a passivation starts again; doubled each time. Milliseconds, 10
     * to 3,600,000.
     */
    public EntityRecoveryOptions setRestartBackoffMs(long restartBackoffMs) {
        this.restartBackoffMs = restartBackoffMs;
        return this;
    }

    public long getRestartMaxBackoffMs() {
        return restartMaxBackoffMs;
    }

    /**
     * The longest pause before a restart. When an entity has run for that time, its pause is reset. Milliseconds, 10 to
     * 3,600,000.
     */
    public EntityRecoveryOptions setRestartMaxBackoffMs(long restartMaxBackoffMs) {
        this.restartMaxBackoffMs = restartMaxBackoffMs;
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntityRecoveryOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "EntityRecoveryOptions" + toJson().encode();
    }
}
