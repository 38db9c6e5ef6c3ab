package io.shardbus.options;

import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.spi.SplitBrainStrategy;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options of the split-brain resolver, which decides the side of a split that goes on; the same on all nodes. JSON keys
 * are the names of the properties. The setters check nothing: {@link #validate()} is called once, at start.
 * docs/guides/split-brain.md says what to choose.
 */
public final class SplitBrainOptions implements NestedOptions {
    public static final String KEEP_MAJORITY = "keep-majority";
    public static final String STATIC_QUORUM = "static-quorum";
    public static final String DOWN_ALL = "down-all";
    public static final String KEEP_OLDEST = "keep-oldest";
    public static final String LEASE_MAJORITY = "lease-majority";

    public static final String DEFAULT_STRATEGY = KEEP_MAJORITY;
    public static final String DEFAULT_ROLE = "";
    public static final int DEFAULT_QUORUM_SIZE = 0;
    public static final boolean DEFAULT_DOWN_IF_ALONE = true;
    public static final String DEFAULT_TIE_BREAK = "none";
    public static final String DEFAULT_ARBITER = "";
    public static final String DEFAULT_LEASE_NAME = "";
    public static final long DEFAULT_MINORITY_DELAY_MS = 2000;
    public static final long DEFAULT_RELEASE_AFTER_MS = 40_000;

    private static final List<String> STRATEGIES =
            List.of(KEEP_MAJORITY, STATIC_QUORUM, DOWN_ALL, KEEP_OLDEST, LEASE_MAJORITY);
    private static final List<String> TIE_BREAKS = List.of(DEFAULT_TIE_BREAK, "lowest-address", "oldest");
    private static final long LEAST_FLAPPING = 4000;
    private static final int LARGEST_QUORUM = 1000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{0,64}");
    private static final Pattern CLASS = Pattern.compile("\\p{Alpha}[\\w$]*(\\.[\\w$]+)+");

    /** The keys that mean something with a strategy, beside its own name; all may go with a class of the user's. */
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            KEEP_MAJORITY, Set.of("role", "tieBreak"),
            STATIC_QUORUM, Set.of("role", "quorumSize"),
            DOWN_ALL, Set.of(),
            KEEP_OLDEST, Set.of("role", "downIfAlone"),
            LEASE_MAJORITY, Set.of("role", "arbiter", "leaseName", "minorityDelayMs", "releaseAfterMs"));

    private static final Set<String> ALLOWED_WITH_A_CLASS =
            Set.of("arbiter", "leaseName", "minorityDelayMs", "releaseAfterMs");

    private String strategy = DEFAULT_STRATEGY;
    private String role = DEFAULT_ROLE;
    private int quorumSize = DEFAULT_QUORUM_SIZE;
    private boolean downIfAlone = DEFAULT_DOWN_IF_ALONE;
    private String tieBreak = DEFAULT_TIE_BREAK;
    private String arbiter = DEFAULT_ARBITER;
    private String leaseName = DEFAULT_LEASE_NAME;
    private long minorityDelayMs = DEFAULT_MINORITY_DELAY_MS;
    private long releaseAfterMs = DEFAULT_RELEASE_AFTER_MS;

    public SplitBrainOptions() {}

    public SplitBrainOptions(SplitBrainOptions other) {
        this(other.toJson());
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public SplitBrainOptions(JsonObject json) {
        json.forEach(entry -> read(entry.getKey(), entry.getValue()));
    }

    private void read(String key, @Nullable Object value) {
        switch (key) {
            case "strategy" -> strategy = as(String.class, key, value, "a text");
            case "role" -> role = as(String.class, key, value, "a text");
            case "quorumSize" -> quorumSize = as(Integer.class, key, value, "a whole number");
            case "downIfAlone" -> downIfAlone = as(Boolean.class, key, value, "a boolean");
            case "tieBreak" -> tieBreak = as(String.class, key, value, "a text");
            case "arbiter" -> arbiter = as(String.class, key, value, "a text");
            case "leaseName" -> leaseName = as(String.class, key, value, "a text");
            case "minorityDelayMs" -> minorityDelayMs = millis(key, value);
            case "releaseAfterMs" -> releaseAfterMs = millis(key, value);
            default ->
                throw new IllegalArgumentException(
                        "unknown option 'splitBrain." + key + "'; there are " + new TreeSet<>(toJson().fieldNames()));
        }
    }

    private static long millis(String key, @Nullable Object value) {
        return value instanceof Integer || value instanceof Long
                ? ((Number) value).longValue()
                : as(Long.class, key, value, "a whole number");
    }

    private static <T> T as(Class<T> type, String key, @Nullable Object value, String kind) {
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw refusal(key, value, kind);
    }

    private static IllegalArgumentException refusal(String key, @Nullable Object value, String allowed) {
        return new IllegalArgumentException(
                "option 'splitBrain." + key + "' = " + Json.encode(value) + ": must be " + allowed);
    }

    /** All keys, also those that have their default. */
    @Override
    public JsonObject toJson() {
        return new JsonObject()
                .put("strategy", strategy)
                .put("role", role)
                .put("quorumSize", quorumSize)
                .put("downIfAlone", downIfAlone)
                .put("tieBreak", tieBreak)
                .put("arbiter", arbiter)
                .put("leaseName", leaseName)
                .put("minorityDelayMs", minorityDelayMs)
                .put("releaseAfterMs", releaseAfterMs);
    }

    /**
     * Checks every value, and that only options are set which the strategy uses.
     *
     * @throws IllegalArgumentException naming key, value and allowed range
     */
    @Override
    public void validate() {
        require(
                "strategy",
                STRATEGIES.contains(strategy) || isClass(strategy),
                strategy,
                "one of " + String.join(", ", STRATEGIES) + ", or the name of a class with its package");
        require("role", NAME.matcher(role).matches(), role, "empty or 1 to 64 letters, digits, '-', '_' or '.'");
        require("tieBreak", TIE_BREAKS.contains(tieBreak), tieBreak, "one of " + String.join(", ", TIE_BREAKS));
        require("arbiter", arbiter.isEmpty() || isClass(arbiter), arbiter, "the name of a class with its package");
        require(
                "minorityDelayMs",
                minorityDelayMs >= 0 && minorityDelayMs <= 60_000,
                minorityDelayMs,
                "a whole number in 0..60000");
        require(
                "releaseAfterMs",
                releaseAfterMs >= 1000 && releaseAfterMs <= 3_600_000,
                releaseAfterMs,
                "a whole number in 1000..3600000");
        refuseForeign();
        boolean needsQuorum = strategy.equals(STATIC_QUORUM);
        require(
                "quorumSize",
                !needsQuorum || (quorumSize >= 1 && quorumSize <= LARGEST_QUORUM),
                quorumSize,
                "a whole number in 1.." + LARGEST_QUORUM + " with the strategy static-quorum");
        require(
                "arbiter",
                !strategy.equals(LEASE_MAJORITY) || !arbiter.isEmpty(),
                arbiter,
                "set with the strategy lease-majority: the name of a class that implements "
                        + SplitBrainArbiter.class.getName());
    }

    private static void require(String key, boolean holds, Object value, String allowed) {
        if (!holds) {
            throw refusal(key, value, allowed);
        }
    }

    private void refuseForeign() {
        Set<String> allowed = ALLOWED.getOrDefault(strategy, ALLOWED_WITH_A_CLASS);
        JsonObject defaults = new SplitBrainOptions().toJson();
        for (Map.Entry<String, Object> entry : toJson()) {
            String key = entry.getKey();
            boolean isSet = !entry.getValue().equals(defaults.getValue(key));
            if (isSet && !key.equals("strategy") && !allowed.contains(key)) {
                throw refusal(
                        key,
                        entry.getValue(),
                        "left out with the strategy " + strategy + ", which does not look at it");
            }
        }
    }

    private static boolean isClass(String name) {
        return CLASS.matcher(name).matches();
    }

    /** Whether the strategy is a class of the user's. */
    public boolean isCustom() {
        return !STRATEGIES.contains(strategy);
    }

    /** The name of the arbiter's lease: the one given, else one that follows from the cluster's name. */
    public String effectiveLeaseName(String clusterName) {
        return leaseName.isBlank() ? clusterName + "-shardbus-split-brain" : leaseName;
    }

    /** Time beyond the decision time for which members may come and go before a side stops, in milliseconds. */
    public static long flappingMs(long decisionTimeMs) {
        return Math.max(LEAST_FLAPPING, decisionTimeMs * 3 / 4);
    }

    /**
     * Latest time after a cut, in milliseconds, at which a side that runs without a pause has its answer from the
     * arbiter.
     */
    public long latestAnswerMs(long failureDetectionMs, long decisionTimeMs) {
        return failureDetectionMs
                + decisionTimeMs
                + flappingMs(decisionTimeMs)
                + minorityDelayMs
                + SplitBrainArbiter.TIMEOUT_MS;
    }

    /** The options that must be the same on all nodes, in words. */
    public String fingerprint() {
        JsonObject defaults = new SplitBrainOptions().toJson();
        StringBuilder text = new StringBuilder(strategy);
        for (String key : List.of("role", "quorumSize", "downIfAlone", "tieBreak", "arbiter", "leaseName")) {
            Object value = toJson().getValue(key);
            if (!value.equals(defaults.getValue(key))) {
                text.append(' ').append(key).append('=').append(value);
            }
        }
        return text.toString();
    }

    public String getStrategy() {
        return strategy;
    }

    /**
     * "keep-majority", "static-quorum", "down-all", "keep-oldest", "lease-majority", or a {@link SplitBrainStrategy}'s
     * class.
     */
    public SplitBrainOptions setStrategy(String strategy) {
        this.strategy = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    public String getRole() {
        return role;
    }

    /** Only members with this role count; empty: all. Not with "down-all". */
    public SplitBrainOptions setRole(String role) {
        this.role = Objects.requireNonNull(role, "role");
        return this;
    }

    public int getQuorumSize() {
        return quorumSize;
    }

    /**
     * With "static-quorum", which needs it: the number of members that a side must have, more than half of all members
     * that there will ever be.
     */
    public SplitBrainOptions setQuorumSize(int quorumSize) {
        this.quorumSize = quorumSize;
        return this;
    }

    public boolean isDownIfAlone() {
        return downIfAlone;
    }

    /**
     * With "keep-oldest": whether the oldest member stops if it is alone on its side while two or more members go on.
     */
    public SplitBrainOptions setDownIfAlone(boolean downIfAlone) {
        this.downIfAlone = downIfAlone;
        return this;
    }

    public String getTieBreak() {
        return tieBreak;
    }

    /** With "keep-majority": which half of an even split goes on: "none", "lowest-address" or "oldest". */
    public SplitBrainOptions setTieBreak(String tieBreak) {
        this.tieBreak = Objects.requireNonNull(tieBreak, "tieBreak");
        return this;
    }

    public String getArbiter() {
        return arbiter;
    }

    /** With "lease-majority", which needs it: the class of a {@link SplitBrainArbiter}. */
    public SplitBrainOptions setArbiter(String arbiter) {
        this.arbiter = Objects.requireNonNull(arbiter, "arbiter");
        return this;
    }

    public String getLeaseName() {
        return leaseName;
    }

    /** The name of the arbiter's lease; blank: one that follows from the cluster's name. */
    public SplitBrainOptions setLeaseName(String leaseName) {
        this.leaseName = Objects.requireNonNull(leaseName, "leaseName");
        return this;
    }

    public long getMinorityDelayMs() {
        return minorityDelayMs;
    }

    /** Sets the time that the smaller side waits before it asks the arbiter. Milliseconds, 0 to 60,000. */
    public SplitBrainOptions setMinorityDelayMs(long minorityDelayMs) {
        this.minorityDelayMs = minorityDelayMs;
        return this;
    }

    public long getReleaseAfterMs() {
        return releaseAfterMs;
    }

    /**
     * Sets the time for which a side keeps the arbiter's lease; it must be longer than the time within which the other
     * side asks. Milliseconds, 1,000 to 3,600,000.
     */
    public SplitBrainOptions setReleaseAfterMs(long releaseAfterMs) {
        this.releaseAfterMs = releaseAfterMs;
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SplitBrainOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return "SplitBrainOptions" + toJson().encode();
    }
}
