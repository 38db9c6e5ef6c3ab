package io.shardbus.options;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One key of {@link ShardingOptions}. The table {@link #ALL} drives JSON, validation, equality and the check of
 * docs/reference/options.md and conf/sharding.json.
 *
 * @param kind the kind of a value, in the words of an error
 * @param range the allowed values, in the words of an error and of docs/reference/options.md
 * @param reader the value that a JSON value gives; empty when it is of the wrong type
 */
public record OptionKey<T>(
        String name,
        String kind,
        String range,
        Function<Object, Optional<T>> reader,
        Predicate<T> allowed,
        Function<ShardingOptions, T> getter,
        BiConsumer<ShardingOptions, T> setter) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern STRATEGY = Pattern.compile(
            String.join("|", ShardingOptions.ALLOCATION_STRATEGIES) + "|\\p{Alpha}[\\w$]*(\\.[\\w$]+)+");
    private static final Pattern WITNESS = Pattern.compile("none|refused-connection|\\p{Alpha}[\\w$]*(\\.[\\w$]+)+");
    private static final int SHOWN = 64;

    static final List<OptionKey<?>> ALL = List.of(
            names("roles", ShardingOptions::getRoles, ShardingOptions::setRoles),
            names("requiredTypes", ShardingOptions::getRequiredTypes, ShardingOptions::setRequiredTypes),
            bool("coordinator", ShardingOptions::isCoordinator, ShardingOptions::setCoordinator),
            text(
                    "appVersion",
                    Pattern.compile("[!-~]{1,64}"),
                    "1 to 64 printable characters",
                    ShardingOptions::getAppVersion,
                    ShardingOptions::setAppVersion),
            count("numberOfShards", 1, 65_536, ShardingOptions::getNumberOfShards, ShardingOptions::setNumberOfShards),
            count("lanes", 0, 64, ShardingOptions::getLanes, ShardingOptions::setLanes),
            millis(
                    "leaseDurationMs",
                    500,
                    120_000,
                    ShardingOptions::getLeaseDurationMs,
                    ShardingOptions::setLeaseDurationMs),
            millis("decisionTimeMs", 0, 60_000, ShardingOptions::getDecisionTimeMs, ShardingOptions::setDecisionTimeMs),
            millis(
                    "failureDetectionMs",
                    100,
                    60_000,
                    ShardingOptions::getFailureDetectionMs,
                    ShardingOptions::setFailureDetectionMs),
            millis(
                    "storeRoundTripMs",
                    1,
                    5000,
                    ShardingOptions::getStoreRoundTripMs,
                    ShardingOptions::setStoreRoundTripMs),
            count("minimumMembers", 1, 1000, ShardingOptions::getMinimumMembers, ShardingOptions::setMinimumMembers),
            counts(
                    "minimumMembersOfRole",
                    1,
                    1000,
                    ShardingOptions::getMinimumMembersOfRole,
                    ShardingOptions::setMinimumMembersOfRole),
            bool(
                    "awaitPredecessorLeases",
                    ShardingOptions::isAwaitPredecessorLeases,
                    ShardingOptions::setAwaitPredecessorLeases),
            text(
                    "deathWitness",
                    WITNESS,
                    "none, refused-connection, or the name of a class with its package",
                    ShardingOptions::getDeathWitness,
                    ShardingOptions::setDeathWitness),
            choice(
                    "shardLease",
                    ShardingOptions.SHARD_LEASES,
                    ShardingOptions::getShardLease,
                    ShardingOptions::setShardLease),
            millis(
                    "leaseRetryIntervalMs",
                    10,
                    3_600_000,
                    ShardingOptions::getLeaseRetryIntervalMs,
                    ShardingOptions::setLeaseRetryIntervalMs),
            choice(
                    "stateStoreMode",
                    List.of("replicated", "durable"),
                    ShardingOptions::getStateStoreMode,
                    ShardingOptions::setStateStoreMode),
            text(
                    "stateStoreDirectory",
                    Pattern.compile("[^\\x00]{0,4096}"),
                    "up to 4096 characters",
                    ShardingOptions::getStateStoreDirectory,
                    ShardingOptions::setStateStoreDirectory),
            millis(
                    "stateStoreTimeoutMs",
                    100,
                    120_000,
                    ShardingOptions::getStateStoreTimeoutMs,
                    ShardingOptions::setStateStoreTimeoutMs),
            millis("askTimeoutMs", 1, 86_400_000, ShardingOptions::getAskTimeoutMs, ShardingOptions::setAskTimeoutMs),
            count("bufferSize", 1, 10_000_000, ShardingOptions::getBufferSize, ShardingOptions::setBufferSize),
            count("mailboxSize", 1, 1_000_000, ShardingOptions::getMailboxSize, ShardingOptions::setMailboxSize),
            millis(
                    "handoffTimeoutMs",
                    10,
                    3_600_000,
                    ShardingOptions::getHandoffTimeoutMs,
                    ShardingOptions::setHandoffTimeoutMs),
            millis("stopTimeoutMs", 1, 600_000, ShardingOptions::getStopTimeoutMs, ShardingOptions::setStopTimeoutMs),
            millis(
                    "shutdownTimeoutMs",
                    100,
                    3_600_000,
                    ShardingOptions::getShutdownTimeoutMs,
                    ShardingOptions::setShutdownTimeoutMs),
            millis(
                    "handoverTimeoutMs",
                    100,
                    60_000,
                    ShardingOptions::getHandoverTimeoutMs,
                    ShardingOptions::setHandoverTimeoutMs),
            bool("handoverRequired", ShardingOptions::isHandoverRequired, ShardingOptions::setHandoverRequired),
            bool("stateInspection", ShardingOptions::isStateInspection, ShardingOptions::setStateInspection),
            count(
                    "latencySampling",
                    0,
                    65_536,
                    ShardingOptions::getLatencySampling,
                    ShardingOptions::setLatencySampling),
            count("handoverBytes", 0, 1 << 30, ShardingOptions::getHandoverBytes, ShardingOptions::setHandoverBytes),
            millis(
                    "retryIntervalMs",
                    10,
                    60_000,
                    ShardingOptions::getRetryIntervalMs,
                    ShardingOptions::setRetryIntervalMs),
            millis(
                    "rebalanceIntervalMs",
                    0,
                    3_600_000,
                    ShardingOptions::getRebalanceIntervalMs,
                    ShardingOptions::setRebalanceIntervalMs),
            text(
                    "allocationStrategy",
                    STRATEGY,
                    String.join(", ", ShardingOptions.ALLOCATION_STRATEGIES)
                            + ", or the name of a class with its package",
                    ShardingOptions::getAllocationStrategy,
                    ShardingOptions::setAllocationStrategy),
            count(
                    "rebalanceAbsoluteLimit",
                    1,
                    65_536,
                    ShardingOptions::getRebalanceAbsoluteLimit,
                    ShardingOptions::setRebalanceAbsoluteLimit),
            share(
                    "rebalanceRelativeLimit",
                    ShardingOptions::getRebalanceRelativeLimit,
                    ShardingOptions::setRebalanceRelativeLimit),
            count(
                    "rebalanceThreshold",
                    1,
                    10_000,
                    ShardingOptions::getRebalanceThreshold,
                    ShardingOptions::setRebalanceThreshold),
            count(
                    "maxSimultaneousRebalance",
                    1,
                    65_536,
                    ShardingOptions::getMaxSimultaneousRebalance,
                    ShardingOptions::setMaxSimultaneousRebalance),
            count(
                    "maxPayloadBytes",
                    64,
                    67_108_864,
                    ShardingOptions::getMaxPayloadBytes,
                    ShardingOptions::setMaxPayloadBytes),
            count("frameBytes", 1024, 16_777_216, ShardingOptions::getFrameBytes, ShardingOptions::setFrameBytes),
            count("frameMessages", 1, 65_535, ShardingOptions::getFrameMessages, ShardingOptions::setFrameMessages),
            count("frameWindow", 1, 4096, ShardingOptions::getFrameWindow, ShardingOptions::setFrameWindow),
            bool("serializeLocal", ShardingOptions::isSerializeLocal, ShardingOptions::setSerializeLocal),
            millis(
                    "queryTimeoutMs",
                    10,
                    60_000,
                    ShardingOptions::getQueryTimeoutMs,
                    ShardingOptions::setQueryTimeoutMs),
            nested(
                    "splitBrain",
                    "guides/split-brain",
                    object(SplitBrainOptions.class, SplitBrainOptions::new),
                    ShardingOptions::getSplitBrain,
                    ShardingOptions::setSplitBrain),
            nested(
                    "entityRecovery",
                    "guides/remembered-entities",
                    object(EntityRecoveryOptions.class, EntityRecoveryOptions::new),
                    ShardingOptions::getEntityRecovery,
                    ShardingOptions::setEntityRecovery),
            nested(
                    "passivation",
                    "guides/passivation",
                    object(PassivationOptions.class, PassivationOptions::new),
                    ShardingOptions::getPassivation,
                    ShardingOptions::setPassivation),
            nested(
                    "direct",
                    "reference/options",
                    object(DirectOptions.class, DirectOptions::new),
                    ShardingOptions::getDirect,
                    ShardingOptions::setDirect),
            nested(
                    "metrics",
                    "reference/metrics",
                    object(MetricsOptions.class, MetricsOptions::new),
                    ShardingOptions::getMetrics,
                    ShardingOptions::setMetrics),
            text(
                    "addressPrefix",
                    Pattern.compile("[A-Za-z0-9._-]{1,32}"),
                    "1 to 32 letters, digits, '-', '_' or '.'",
                    ShardingOptions::getAddressPrefix,
                    ShardingOptions::setAddressPrefix),
            count(
                    "busNewEntitiesPerSecond",
                    0,
                    1_000_000,
                    ShardingOptions::getBusNewEntitiesPerSecond,
                    ShardingOptions::setBusNewEntitiesPerSecond),
            text(
                    "clusterSecretFile",
                    Pattern.compile("[^\\x00]{0,4096}"),
                    "up to 4096 characters",
                    ShardingOptions::getClusterSecretFile,
                    ShardingOptions::setClusterSecretFile),
            choice(
                    "tracingPolicy",
                    List.of("propagate", "always", "ignore"),
                    ShardingOptions::getTracingPolicy,
                    ShardingOptions::setTracingPolicy),
            bool("traceEntityIds", ShardingOptions::isTraceEntityIds, ShardingOptions::setTraceEntityIds),
            bool("logEntityIds", ShardingOptions::isLogEntityIds, ShardingOptions::setLogEntityIds));

    private static final Map<String, OptionKey<?>> BY_NAME =
            ALL.stream().collect(Collectors.toMap(OptionKey::name, key -> key));

    /**
     * The key of this name.
     *
     * @throws IllegalArgumentException naming the nearest key, if there is none
     */
    public static OptionKey<?> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name))
                .orElseThrow(() -> new IllegalArgumentException(NearestName.refusal(name, BY_NAME.keySet())));
    }

    /** All values of the options, by name. */
    static Map<String, Object> values(ShardingOptions options) {
        var values = new LinkedHashMap<String, Object>();
        ALL.forEach(key -> values.put(key.name, key.getter.apply(options)));
        return values;
    }

    void copy(ShardingOptions from, ShardingOptions to) {
        setter.accept(to, getter.apply(from));
    }

    void read(@Nullable Object json, ShardingOptions into) {
        setter.accept(into, typed(json));
    }

    Object toJson(ShardingOptions options) {
        T value = getter.apply(options);
        if (value instanceof NestedOptions nested) {
            return nested.toJson();
        }
        if (value instanceof Map<?, ?> counts) {
            JsonObject json = new JsonObject();
            new TreeMap<>(counts).forEach((name, count) -> json.put(String.valueOf(name), count));
            return json;
        }
        return value instanceof List<?> list ? new JsonArray(new ArrayList<>(list)) : value;
    }

    void check(ShardingOptions options) {
        require(getter.apply(options));
    }

    /** Refuses a value of the wrong type or out of range, naming key, value and range. */
    public void require(@Nullable Object value) {
        if (!accepts(value)) {
            throw refusal(value);
        }
    }

    boolean accepts(@Nullable Object value) {
        return Optional.ofNullable(value).flatMap(reader).filter(allowed).isPresent();
    }

    private T typed(@Nullable Object value) {
        return Optional.ofNullable(value).flatMap(reader).orElseThrow(() -> refusal(value));
    }

    private IllegalArgumentException refusal(@Nullable Object value) {
        return new IllegalArgumentException(
                "option '" + name + "' = " + shown(value) + ": must be " + kind + " " + range);
    }

    private static String shown(@Nullable Object value) {
        var text = Json.encode(value);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    /** The nested object names its own keys in its refusals. */
    private static <V extends NestedOptions> OptionKey<V> nested(
            String name,
            String document,
            Function<Object, Optional<V>> reader,
            Function<ShardingOptions, V> getter,
            BiConsumer<ShardingOptions, V> setter) {
        Predicate<V> valid = options -> {
            options.validate();
            return true;
        };
        return new OptionKey<>(name, "an object:", "see docs/" + document + ".md", reader, valid, getter, setter);
    }

    private static <V> Function<Object, Optional<V>> object(Class<V> type, Function<JsonObject, V> from) {
        return json -> json instanceof JsonObject object ? Optional.of(from.apply(object)) : as(type, json);
    }

    private static OptionKey<Boolean> bool(
            String name, Function<ShardingOptions, Boolean> getter, BiConsumer<ShardingOptions, Boolean> setter) {
        return new OptionKey<>(
                name, "a boolean:", "true, false", json -> as(Boolean.class, json), value -> true, getter, setter);
    }

    private static OptionKey<Integer> count(
            String name,
            int min,
            int max,
            Function<ShardingOptions, Integer> getter,
            BiConsumer<ShardingOptions, Integer> setter) {
        Function<Object, Optional<Integer>> reader =
                json -> whole(json).filter(v -> v.intValue() == v).map(Long::intValue);
        return new OptionKey<>(
                name, "a whole number in", min + ".." + max, reader, v -> v >= min && v <= max, getter, setter);
    }

    private static OptionKey<Map<String, Integer>> counts(
            String name,
            int min,
            int max,
            Function<ShardingOptions, Map<String, Integer>> getter,
            BiConsumer<ShardingOptions, Map<String, Integer>> setter) {
        return new OptionKey<>(
                name,
                "an object of",
                "names of 1 to 64 letters, digits, '-', '_' or '.' with whole numbers in " + min + ".." + max,
                OptionKey::counted,
                value -> value.keySet().stream().allMatch(NAME.asMatchPredicate())
                        && value.values().stream().allMatch(count -> count >= min && count <= max),
                getter,
                setter);
    }

    private static Optional<Map<String, Integer>> counted(Object json) {
        Map<?, ?> values =
                json instanceof JsonObject object ? object.getMap() : json instanceof Map<?, ?> map ? map : null;
        if (values == null) {
            return Optional.empty();
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            if (!(entry.getKey() instanceof String name) || !(entry.getValue() instanceof Integer count)) {
                return Optional.empty();
            }
            counts.put(name, count);
        }
        return Optional.of(counts);
    }

    private static OptionKey<Long> millis(
            String name,
            long min,
            long max,
            Function<ShardingOptions, Long> getter,
            BiConsumer<ShardingOptions, Long> setter) {
        return new OptionKey<>(
                name,
                "a whole number in",
                min + ".." + max,
                OptionKey::whole,
                v -> v >= min && v <= max,
                getter,
                setter);
    }

    private static OptionKey<Double> share(
            String name, Function<ShardingOptions, Double> getter, BiConsumer<ShardingOptions, Double> setter) {
        Function<Object, Optional<Double>> reader =
                json -> as(Number.class, json).map(Number::doubleValue);
        return new OptionKey<>(name, "a number", "above 0.0, up to 1.0", reader, v -> v > 0 && v <= 1, getter, setter);
    }

    private static OptionKey<String> choice(
            String name,
            List<String> choices,
            Function<ShardingOptions, String> getter,
            BiConsumer<ShardingOptions, String> setter) {
        return new OptionKey<>(
                name,
                "one of",
                String.join(", ", choices),
                json -> as(String.class, json),
                choices::contains,
                getter,
                setter);
    }

    private static OptionKey<String> text(
            String name,
            Pattern pattern,
            String range,
            Function<ShardingOptions, String> getter,
            BiConsumer<ShardingOptions, String> setter) {
        return new OptionKey<>(
                name, "a text:", range, json -> as(String.class, json), pattern.asMatchPredicate(), getter, setter);
    }

    private static OptionKey<List<String>> names(
            String name,
            Function<ShardingOptions, List<String>> getter,
            BiConsumer<ShardingOptions, List<String>> setter) {
        return new OptionKey<>(
                name,
                "a list of",
                "names of 1 to 64 letters, digits, '-', '_' or '.'",
                OptionKey::texts,
                value -> value.stream().allMatch(NAME.asMatchPredicate()),
                getter,
                setter);
    }

    private static <V> Optional<V> as(Class<V> type, Object json) {
        return Optional.of(json).filter(type::isInstance).map(type::cast);
    }

    private static Optional<Long> whole(Object json) {
        return json instanceof Integer || json instanceof Long
                ? Optional.of(((Number) json).longValue())
                : Optional.empty();
    }

    private static Optional<List<String>> texts(Object json) {
        var list = json instanceof JsonArray array ? array.getList() : json;
        return list instanceof List<?> items && items.stream().allMatch(String.class::isInstance)
                ? Optional.of(items.stream().map(String.class::cast).toList())
                : Optional.empty();
    }
}
