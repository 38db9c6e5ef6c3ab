package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of the admission of new entities under a limit of active entities: a window in which a new entity begins, a
 * filter that admits only the more used ones to the main area, and an optimizer of the window's size. The setters check
 * nothing. docs/guides/passivation.md says more.
 */
public final class AdmissionOptions {
    public static final String NONE = "none";
    public static final String FREQUENCY_SKETCH = "frequency-sketch";
    public static final String HILL_CLIMBING = "hill-climbing";
    public static final String DEFAULT_WINDOW = NONE;
    public static final double DEFAULT_WINDOW_PROPORTION = 0.01;
    public static final double DEFAULT_WINDOW_MINIMUM = 0.01;
    public static final double DEFAULT_WINDOW_MAXIMUM = 1.0;
    public static final String DEFAULT_FILTER = NONE;
    public static final int DEFAULT_SKETCH_DEPTH = 4;
    public static final int DEFAULT_SKETCH_COUNTER_BITS = 4;
    public static final int DEFAULT_SKETCH_WIDTH_MULTIPLIER = 4;
    public static final double DEFAULT_SKETCH_RESET_MULTIPLIER = 10.0;
    public static final String DEFAULT_OPTIMIZER = NONE;
    public static final double DEFAULT_ADJUST_MULTIPLIER = 10.0;
    public static final double DEFAULT_INITIAL_STEP = 0.0625;
    public static final double DEFAULT_RESTART_THRESHOLD = 0.05;
    public static final double DEFAULT_STEP_DECAY = 0.98;

    private static final double LEAST = 0.0001;
    private static final List<String> WINDOWS = List.of(
            NONE,
            PassivationOptions.LEAST_RECENTLY_USED,
            PassivationOptions.MOST_RECENTLY_USED,
            PassivationOptions.LEAST_FREQUENTLY_USED);

    static final List<OptionField<AdmissionOptions, ?>> FIELDS = List.of(
            OptionField.choice("passivation.admission.window", WINDOWS, o -> o.window, (o, v) -> o.window = v),
            OptionField.number(
                    "passivation.admission.windowProportion",
                    LEAST,
                    1,
                    o -> o.windowProportion,
                    (o, v) -> o.windowProportion = v),
            OptionField.number(
                    "passivation.admission.windowMinimum",
                    LEAST,
                    1,
                    o -> o.windowMinimum,
                    (o, v) -> o.windowMinimum = v),
            OptionField.number(
                    "passivation.admission.windowMaximum",
                    LEAST,
                    1,
                    o -> o.windowMaximum,
                    (o, v) -> o.windowMaximum = v),
            OptionField.choice(
                    "passivation.admission.filter",
                    List.of(NONE, FREQUENCY_SKETCH),
                    o -> o.filter,
                    (o, v) -> o.filter = v),
            OptionField.whole(
                    "passivation.admission.sketchDepth",
                    1,
                    8,
                    o -> (long) o.sketchDepth,
                    (o, v) -> o.sketchDepth = OptionField.asInt(v)),
            OptionField.whole(
                    "passivation.admission.sketchCounterBits",
                    4,
                    8,
                    o -> (long) o.sketchCounterBits,
                    (o, v) -> o.sketchCounterBits = OptionField.asInt(v)),
            OptionField.whole(
                    "passivation.admission.sketchWidthMultiplier",
                    1,
                    64,
                    o -> (long) o.sketchWidthMultiplier,
                    (o, v) -> o.sketchWidthMultiplier = OptionField.asInt(v)),
            OptionField.number(
                    "passivation.admission.sketchResetMultiplier",
                    1,
                    1000,
                    o -> o.sketchResetMultiplier,
                    (o, v) -> o.sketchResetMultiplier = v),
            OptionField.choice(
                    "passivation.admission.optimizer",
                    List.of(NONE, HILL_CLIMBING),
                    o -> o.optimizer,
                    (o, v) -> o.optimizer = v),
            OptionField.number(
                    "passivation.admission.adjustMultiplier",
                    1,
                    1000,
                    o -> o.adjustMultiplier,
                    (o, v) -> o.adjustMultiplier = v),
            OptionField.number(
                    "passivation.admission.initialStep", LEAST, 1, o -> o.initialStep, (o, v) -> o.initialStep = v),
            OptionField.number(
                    "passivation.admission.restartThreshold",
                    LEAST,
                    1,
                    o -> o.restartThreshold,
                    (o, v) -> o.restartThreshold = v),
            OptionField.number("passivation.admission.stepDecay", 0, 1, o -> o.stepDecay, (o, v) -> o.stepDecay = v));

    private String window = DEFAULT_WINDOW;
    private double windowProportion = DEFAULT_WINDOW_PROPORTION;
    private double windowMinimum = DEFAULT_WINDOW_MINIMUM;
    private double windowMaximum = DEFAULT_WINDOW_MAXIMUM;
    private String filter = DEFAULT_FILTER;
    private int sketchDepth = DEFAULT_SKETCH_DEPTH;
    private int sketchCounterBits = DEFAULT_SKETCH_COUNTER_BITS;
    private int sketchWidthMultiplier = DEFAULT_SKETCH_WIDTH_MULTIPLIER;
    private double sketchResetMultiplier = DEFAULT_SKETCH_RESET_MULTIPLIER;
    private String optimizer = DEFAULT_OPTIMIZER;
    private double adjustMultiplier = DEFAULT_ADJUST_MULTIPLIER;
    private double initialStep = DEFAULT_INITIAL_STEP;
    private double restartThreshold = DEFAULT_RESTART_THRESHOLD;
    private double stepDecay = DEFAULT_STEP_DECAY;

    public AdmissionOptions() {}

    public AdmissionOptions(AdmissionOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public AdmissionOptions(JsonObject json) {
        OptionField.read(FIELDS, "passivation.admission", json, this);
    }

    /** All keys, also those that have their default. */
    public JsonObject toJson() {
        return OptionField.toJson(FIELDS, this);
    }

    /** @throws IllegalArgumentException naming key, value and allowed range */
    void validate() {
        FIELDS.forEach(field -> field.check(this));
        if (sketchCounterBits != 4 && sketchCounterBits != 8) {
            throw OptionField.refusal("passivation.admission.sketchCounterBits", sketchCounterBits, "4 or 8");
        }
        if (windowProportion < windowMinimum || windowProportion > windowMaximum) {
            throw OptionField.refusal(
                    "passivation.admission.windowProportion",
                    windowProportion,
                    "from windowMinimum, " + windowMinimum + ", to windowMaximum, " + windowMaximum);
        }
    }

    /** Whether any part of the admission is on. */
    public boolean isOn() {
        return !window.equals(NONE) || !filter.equals(NONE) || !optimizer.equals(NONE);
    }

    public String getWindow() {
        return window;
    }

    /**
     * "none": new entities compete for the main area at once. Else the policy by which entities leave the window:
     * "least-recently-used", "most-recently-used" or "least-frequently-used".
     */
    public AdmissionOptions setWindow(String window) {
        this.window = Objects.requireNonNull(window, "window");
        return this;
    }

    public double getWindowProportion() {
        return windowProportion;
    }

    /** The window's initial share of the limit. 0.0001 to 1. */
    public AdmissionOptions setWindowProportion(double windowProportion) {
        this.windowProportion = windowProportion;
        return this;
    }

    public double getWindowMinimum() {
        return windowMinimum;
    }

    /** The smallest share of the limit to which an optimizer may set the window. 0.0001 to 1. */
    public AdmissionOptions setWindowMinimum(double windowMinimum) {
        this.windowMinimum = windowMinimum;
        return this;
    }

    public double getWindowMaximum() {
        return windowMaximum;
    }

    /** The largest share of the limit to which an optimizer may set the window. 0.0001 to 1. */
    public AdmissionOptions setWindowMaximum(double windowMaximum) {
        this.windowMaximum = windowMaximum;
        return this;
    }

    public String getFilter() {
        return filter;
    }

    /**
     * "none": every entity is admitted to the main area; "frequency-sketch": an entity is admitted only if it was used
     * more often than the one that it would replace.
     */
    public AdmissionOptions setFilter(String filter) {
        this.filter = Objects.requireNonNull(filter, "filter");
        return this;
    }

    public int getSketchDepth() {
        return sketchDepth;
    }

    /** Rows of the frequency sketch; with more rows fewer of its estimates are too high. 1 to 8. */
    public AdmissionOptions setSketchDepth(int sketchDepth) {
        this.sketchDepth = sketchDepth;
        return this;
    }

    public int getSketchCounterBits() {
        return sketchCounterBits;
    }

    /** Bits of a counter of the sketch, 4 or 8: it counts to 15 or to 255. */
    public AdmissionOptions setSketchCounterBits(int sketchCounterBits) {
        this.sketchCounterBits = sketchCounterBits;
        return this;
    }

    public int getSketchWidthMultiplier() {
        return sketchWidthMultiplier;
    }

    /** Number of counters in a row of the sketch, as a multiple of the limit of active entities. 1 to 64. */
    public AdmissionOptions setSketchWidthMultiplier(int sketchWidthMultiplier) {
        this.sketchWidthMultiplier = sketchWidthMultiplier;
        return this;
    }

    public double getSketchResetMultiplier() {
        return sketchResetMultiplier;
    }

    /**
     * Number of messages after which all counters of the sketch are halved, as a multiple of the limit of active
     * entities. 1 to 1,000.
     */
    public AdmissionOptions setSketchResetMultiplier(double sketchResetMultiplier) {
        this.sketchResetMultiplier = sketchResetMultiplier;
        return this;
    }

    public String getOptimizer() {
        return optimizer;
    }

    /** "none", or "hill-climbing": the window's share follows the traffic. */
    public AdmissionOptions setOptimizer(String optimizer) {
        this.optimizer = Objects.requireNonNull(optimizer, "optimizer");
        return this;
    }

    public double getAdjustMultiplier() {
        return adjustMultiplier;
    }

    /**
     * Number of messages between two steps of the optimizer, as a multiple of the limit of active entities. 1 to 1,000.
     */
    public AdmissionOptions setAdjustMultiplier(double adjustMultiplier) {
        this.adjustMultiplier = adjustMultiplier;
        return this;
    }

    public double getInitialStep() {
        return initialStep;
    }

    /** The first step of the optimizer: by how much it changes the window's share of the limit. 0.0001 to 1. */
    public AdmissionOptions setInitialStep(double initialStep) {
        this.initialStep = initialStep;
        return this;
    }

    public double getRestartThreshold() {
        return restartThreshold;
    }

    /**
     * The change of the hit rate (the share of messages that find their entity active) from which on the optimizer
     * begins anew with its first step. 0.0001 to 1.
     */
    public AdmissionOptions setRestartThreshold(double restartThreshold) {
        this.restartThreshold = restartThreshold;
        return this;
    }

    public double getStepDecay() {
        return stepDecay;
    }

    /** Sets the factor by which the optimizer multiplies its step each time. 0 to 1. */
    public AdmissionOptions setStepDecay(double stepDecay) {
        this.stepDecay = stepDecay;
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AdmissionOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "AdmissionOptions" + toJson().encode();
    }
}
