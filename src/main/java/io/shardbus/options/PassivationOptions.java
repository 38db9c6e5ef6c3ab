package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of automatic passivation: of entities without messages for some time, and of entities above a limit. JSON
 * keys are the names of the properties. The setters check nothing: {@link #validate()} is called once, at start.
 * docs/guides/passivation.md says what to choose.
 */
public final class PassivationOptions implements NestedOptions {
    public static final String NONE = "none";
    public static final String IDLE = "idle";
    public static final String LEAST_RECENTLY_USED = "least-recently-used";
    public static final String MOST_RECENTLY_USED = "most-recently-used";
    public static final String LEAST_FREQUENTLY_USED = "least-frequently-used";
    public static final String COMPOSITE = "composite";

    public static final String DEFAULT_STRATEGY = IDLE;
    public static final int DEFAULT_ACTIVE_ENTITY_LIMIT = 100_000;
    public static final long DEFAULT_IDLE_TIMEOUT_MS = -1;
    public static final long DEFAULT_IDLE_INTERVAL_MS = -1;
    public static final int DEFAULT_LEVELS = 0;
    public static final List<Double> DEFAULT_PROPORTIONS = List.of();
    public static final boolean DEFAULT_AGING = false;

    private static final long PLAIN_IDLE_TIMEOUT_MS = 120_000;
    private static final long LONGEST = 31_536_000_000L;
    private static final List<Double> TWO_LEVELS = List.of(0.2, 0.8);
    private static final List<String> STRATEGIES =
            List.of(NONE, IDLE, LEAST_RECENTLY_USED, MOST_RECENTLY_USED, LEAST_FREQUENTLY_USED, COMPOSITE);

    private static final List<OptionField<PassivationOptions, ?>> FIELDS = List.of(
            OptionField.choice("passivation.strategy", STRATEGIES, o -> o.strategy, (o, v) -> o.strategy = v),
            OptionField.whole(
                    "passivation.activeEntityLimit",
                    1,
                    10_000_000,
                    o -> (long) o.activeEntityLimit,
                    (o, v) -> o.activeEntityLimit = OptionField.asInt(v)),
            OptionField.whole(
                    "passivation.idleTimeoutMs", -1, LONGEST, o -> o.idleTimeoutMs, (o, v) -> o.idleTimeoutMs = v),
            OptionField.whole(
                    "passivation.idleIntervalMs", -1, LONGEST, o -> o.idleIntervalMs, (o, v) -> o.idleIntervalMs = v),
            OptionField.whole(
                    "passivation.levels", 0, 8, o -> (long) o.levels, (o, v) -> o.levels = OptionField.asInt(v)),
            OptionField.shares("passivation.proportions", o -> o.proportions, (o, v) -> o.proportions = v),
            OptionField.flag("passivation.aging", o -> o.aging, (o, v) -> o.aging = v),
            new OptionField<>(
                    "passivation.admission",
                    "an object",
                    json -> json instanceof JsonObject object
                            ? Optional.of(new AdmissionOptions(object))
                            : Optional.empty(),
                    value -> true,
                    o -> o.admission,
                    (o, v) -> o.admission = v));

    private String strategy = DEFAULT_STRATEGY;
    private int activeEntityLimit = DEFAULT_ACTIVE_ENTITY_LIMIT;
    private long idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS;
    private long idleIntervalMs = DEFAULT_IDLE_INTERVAL_MS;
    private int levels = DEFAULT_LEVELS;
    private List<Double> proportions = DEFAULT_PROPORTIONS;
    private boolean aging = DEFAULT_AGING;
    private AdmissionOptions admission = new AdmissionOptions();

    public PassivationOptions() {}

    public PassivationOptions(PassivationOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public PassivationOptions(JsonObject json) {
        OptionField.read(FIELDS, "passivation", json, this);
    }

    /** All keys, also those that have their default. */
    @Override
    public JsonObject toJson() {
        return OptionField.toJson(FIELDS, this).put("admission", admission.toJson());
    }

    /**
     * Checks every value, and that only options are set which the strategy uses.
     *
     * @throws IllegalArgumentException naming key, value and allowed range
     */
    @Override
    public void validate() {
        FIELDS.forEach(field -> field.check(this));
        admission.validate();
        refuseUnless(hasLimit(), Set.of("activeEntityLimit", "levels", "proportions", "aging", "admission"));
        refuseUnless(!strategy.equals(NONE), Set.of("idleTimeoutMs", "idleIntervalMs"));
        refuseUnless(
                strategy.equals(LEAST_RECENTLY_USED) || strategy.equals(COMPOSITE), Set.of("levels", "proportions"));
        refuseUnless(strategy.equals(LEAST_FREQUENTLY_USED), Set.of("aging"));
        if (idleIntervalMs == 0 && idleTimeoutMs != 0) {
            throw OptionField.refusal("passivation.idleIntervalMs", idleIntervalMs, "-1 or above 0");
        }
        if (!proportions.isEmpty() && proportions.size() != levelsOrDefault()) {
            throw OptionField.refusal(
                    "passivation.proportions", proportions, "as many as there are levels, " + levelsOrDefault());
        }
    }

    private void refuseUnless(boolean looksAtThem, Set<String> keys) {
        JsonObject defaults = new PassivationOptions().toJson();
        JsonObject present = toJson();
        for (String key : keys) {
            if (!looksAtThem && !present.getValue(key).equals(defaults.getValue(key))) {
                throw OptionField.refusal(
                        "passivation." + key,
                        present.getValue(key),
                        "left out with the strategy " + strategy + ", which does not look at it");
            }
        }
    }

    /** Whether the strategy keeps a limit of active entities. */
    public boolean hasLimit() {
        return !strategy.equals(NONE) && !strategy.equals(IDLE);
    }

    private int levelsOrDefault() {
        int ofStrategy = strategy.equals(COMPOSITE) ? 2 : 1;
        return levels == 0 ? ofStrategy : levels;
    }

    /**
     * These options with every default filled in: the timeout and interval of idle entities (0 for none), the levels
     * with their proportions, and the parts of "composite".
     */
    public PassivationOptions resolved() {
        PassivationOptions all = new PassivationOptions(this);
        long plain = strategy.equals(IDLE) ? PLAIN_IDLE_TIMEOUT_MS : 0;
        all.idleTimeoutMs = strategy.equals(NONE) ? 0 : idleTimeoutMs < 0 ? plain : idleTimeoutMs;
        all.idleIntervalMs = idleIntervalMs > 0 && all.idleTimeoutMs > 0 ? idleIntervalMs : (all.idleTimeoutMs + 1) / 2;
        if (strategy.equals(IDLE) && all.idleTimeoutMs == 0) {
            all.strategy = NONE;
        }
        all.levels = hasLimit() ? levelsOrDefault() : 0;
        all.proportions = all.levels > 1 && proportions.isEmpty() ? equalOrTwo(all.levels) : proportions;
        if (strategy.equals(COMPOSITE)) {
            all.admission
                    .setWindow(LEAST_RECENTLY_USED)
                    .setFilter(AdmissionOptions.FREQUENCY_SKETCH)
                    .setOptimizer(AdmissionOptions.HILL_CLIMBING);
        }
        return all;
    }

    private static List<Double> equalOrTwo(int levels) {
        return levels == TWO_LEVELS.size() ? TWO_LEVELS : Collections.nCopies(levels, 1.0 / levels);
    }

    public String getStrategy() {
        return strategy;
    }

    /**
     * "none"; "idle": entities without messages for some time; "least-recently-used", "most-recently-used" or
     * "least-frequently-used": entities above a limit of active entities; or "composite": least recently used on two
     * levels, behind a window whose size follows the traffic and a filter with a frequency sketch.
     */
    public PassivationOptions setStrategy(String strategy) {
        this.strategy = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    public int getActiveEntityLimit() {
        return activeEntityLimit;
    }

    /**
     * With a limit: how many entities of the type may be active on this node, shared by its shards evenly. 1 to
     * 10,000,000.
     */
    public PassivationOptions setActiveEntityLimit(int activeEntityLimit) {
        this.activeEntityLimit = activeEntityLimit;
        return this;
    }

    public long getIdleTimeoutMs() {
        return idleTimeoutMs;
    }

    /**
     * Sets the time without a message after which an entity is idle; -1: 120,000 with "idle", never with a limit; 0:
     * never. Milliseconds, up to a year.
     */
    public PassivationOptions setIdleTimeoutMs(long idleTimeoutMs) {
        this.idleTimeoutMs = idleTimeoutMs;
        return this;
    }

    public long getIdleIntervalMs() {
        return idleIntervalMs;
    }

    /** Sets the interval of the search for idle entities; -1: half of the timeout. Milliseconds, up to a year. */
    public PassivationOptions setIdleIntervalMs(long idleIntervalMs) {
        this.idleIntervalMs = idleIntervalMs;
        return this;
    }

    public int getLevels() {
        return levels;
    }

    /**
     * With "least-recently-used" and "composite": the number of levels; an entity rises a level when it gets a message
     * again. 0: one level, with "composite" two. Up to 8.
     */
    public PassivationOptions setLevels(int levels) {
        this.levels = levels;
        return this;
    }

    public List<Double> getProportions() {
        return proportions;
    }

    /**
     * The levels' shares of the limit, lowest first, with the sum 1; empty: 0.2 and 0.8 for two levels, equal ones for
     * more.
     */
    public PassivationOptions setProportions(List<Double> proportions) {
        this.proportions = List.copyOf(proportions);
        return this;
    }

    public boolean isAging() {
        return aging;
    }

    /**
     * With "least-frequently-used": whether new entities begin with the count of the last passivated one, so that
     * entities that were used often in the past are passivated in time.
     */
    public PassivationOptions setAging(boolean aging) {
        this.aging = aging;
        return this;
    }

    public AdmissionOptions getAdmission() {
        return admission;
    }

    /**
     * With a limit: the admission of new entities. "composite" always uses window, filter and optimizer. Kept as a
     * copy.
     */
    public PassivationOptions setAdmission(AdmissionOptions admission) {
        this.admission = new AdmissionOptions(admission);
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PassivationOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "PassivationOptions" + toJson().encode();
    }
}
