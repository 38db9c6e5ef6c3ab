package io.shardbus.launcher;

import io.shardbus.EntityDefinition;
import io.shardbus.ExecutionModel;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.SharedStore;
import io.shardbus.options.OptionKey;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.MessageExtractor;
import io.shardbus.spi.PayloadCodec;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.spi.ShardingMetrics;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Configuration keys of an entity definition. Every part of {@link EntityDefinition} has a key; where an option of
 * {@link ShardingOptions} says the same for all types, the key is that option's.
 *
 * @param <M> what the entities understand
 */
final class DefinitionKeys<M> {
    /** Kind of value of each key: 0 a whole number, true a flag, an object an object, and a text a text. */
    private static final Map<String, Object> SHAPES = Map.ofEntries(
            Map.entry("role", ""),
            Map.entry("numberOfShards", 0),
            Map.entry("minimumMembers", 0),
            Map.entry("askTimeoutMs", 0),
            Map.entry("stopTimeoutMs", 0),
            Map.entry("handoffTimeoutMs", 0),
            Map.entry("retryIntervalMs", 0),
            Map.entry("rebalanceIntervalMs", 0),
            Map.entry("mailboxSize", 0),
            Map.entry("bufferSize", 0),
            Map.entry("rememberEntities", true),
            Map.entry("execution", ""),
            Map.entry("allocationStrategy", ""),
            Map.entry("passivation", new PassivationOptions().toJson()),
            Map.entry("restartPolicy", policyShape()),
            Map.entry("restartPolicies", new JsonObject().put(ConfigVariables.ANY, policyShape())),
            Map.entry("stopMessage", ""),
            Map.entry("messageExtractorClass", ""),
            Map.entry("codecClass", ""),
            Map.entry("failureHandlerClass", ""),
            Map.entry("metricsClass", ""),
            Map.entry("shardLease", ""),
            Map.entry("shardLeaseClass", ""),
            Map.entry("rememberedEntitiesStoreClass", ""),
            Map.entry("preparationClass", ""),
            Map.entry("sharedStoreClass", ""));

    private static final String KIND = "kind";
    private static final Set<String> POLICY_KEYS =
            Set.of(KIND, "minBackoffMs", "maxBackoffMs", "maxRestarts", "withinMs");
    private static final long NO_LIMIT = -1;

    private final ConfigSection section;
    private EntityDefinition<M> definition;

    private DefinitionKeys(ConfigSection section, EntityDefinition<M> plain) {
        this.section = section;
        this.definition = plain;
    }

    /** The keys, with a value of the kind that each takes. */
    static JsonObject shape() {
        return new JsonObject(SHAPES).copy();
    }

    private static JsonObject policyShape() {
        return new JsonObject()
                .put(KIND, "")
                .put("minBackoffMs", 0)
                .put("maxBackoffMs", 0)
                .put("maxRestarts", 0)
                .put("withinMs", 0);
    }

    /** The definition with what the section says. */
    static <M> EntityDefinition<M> apply(ConfigSection section, EntityDefinition<M> plain) {
        var keys = new DefinitionKeys<>(section, plain);
        keys.values();
        keys.classes();
        keys.stopMessage();
        return keys.definition;
    }

    private void values() {
        set("role", section.text("role", null), EntityDefinition::withRole);
        set("numberOfShards", whole("numberOfShards"), EntityDefinition::withNumberOfShards);
        set("minimumMembers", whole("minimumMembers"), EntityDefinition::withMinimumMembers);
        set("askTimeoutMs", millis("askTimeoutMs"), EntityDefinition::withAskTimeout);
        set("stopTimeoutMs", millis("stopTimeoutMs"), EntityDefinition::withStopTimeout);
        set("handoffTimeoutMs", millis("handoffTimeoutMs"), EntityDefinition::withHandoffTimeout);
        set("retryIntervalMs", millis("retryIntervalMs"), EntityDefinition::withRetryInterval);
        set("rebalanceIntervalMs", millis("rebalanceIntervalMs"), EntityDefinition::withRebalanceInterval);
        set("mailboxSize", whole("mailboxSize"), EntityDefinition::withMailboxSize);
        set("bufferSize", whole("bufferSize"), EntityDefinition::withBufferSize);
        Boolean remember = section.has("rememberEntities") ? section.flag("rememberEntities") : null;
        set("rememberEntities", remember, EntityDefinition::withRememberEntities);
        set("execution", choice(section, "execution", ExecutionModel.class), EntityDefinition::withExecution);
        if (section.has("shardLease") && section.has("shardLeaseClass")) {
            throw section.refusal("shardLease", "shardLeaseClass names another one: leave one of the two keys out");
        }
        set("shardLease", section.text("shardLease", null), EntityDefinition::withShardLease);
        if (section.has("passivation")) {
            JsonObject passivation = section.section("passivation").json();
            set("passivation", passivation, (plain, json) -> plain.withPassivation(new PassivationOptions(json)));
        }
        if (section.has("restartPolicy")) {
            set("restartPolicy", policy(section, "restartPolicy"), EntityDefinition::withRestartPolicy);
        }
        ConfigSection policies = section.section("restartPolicies");
        for (String name : new TreeSet<>(policies.json().fieldNames())) {
            Class<? extends Throwable> failures = NamedClasses.throwable(policies, name);
            definition = definition.withRestartPolicy(failures, policy(policies, name));
        }
    }

    private void classes() {
        this.<MessageExtractor<M>>instance(
                "messageExtractorClass", MessageExtractor.class, EntityDefinition::withMessageExtractor);
        this.<PayloadCodec<M>>instance("codecClass", PayloadCodec.class, EntityDefinition::withCodec);
        this.<EntityFailureHandler>instance(
                "failureHandlerClass", EntityFailureHandler.class, EntityDefinition::withFailureHandler);
        this.<ShardingMetrics>instance("metricsClass", ShardingMetrics.class, EntityDefinition::withMetrics);
        this.<LeaseProvider>instance("shardLeaseClass", LeaseProvider.class, EntityDefinition::withShardLeases);
        this.<RememberedEntitiesStore>instance(
                "rememberedEntitiesStoreClass",
                RememberedEntitiesStore.class,
                EntityDefinition::withRememberedEntitiesStore);
        this.<Supplier<Future<?>>>instance("preparationClass", Supplier.class, EntityDefinition::withPreparation);
        this.<Supplier<Future<SharedStore>>>instance(
                "sharedStoreClass", Supplier.class, EntityDefinition::withSharedStore);
        String strategy = section.text("allocationStrategy", null);
        if (strategy != null && strategy.indexOf('.') > 0) {
            this.<AllocationStrategy>instance(
                    "allocationStrategy", AllocationStrategy.class, EntityDefinition::withAllocationStrategy);
        } else {
            set("allocationStrategy", strategy, EntityDefinition::withAllocation);
        }
    }

    /** As the codec of the type reads it from an event-bus client, or as it stands where messages are plain values. */
    private void stopMessage() {
        Object value = section.json().getValue("stopMessage");
        if (value != null) {
            set("stopMessage", value, (plain, json) -> plain.withStopMessage(message(json)));
        }
    }

    private M message(Object json) {
        Class<M> messages = definition.type().messageClass();
        if (json instanceof JsonObject object && !messages.isInstance(json)) {
            return PayloadCodecs.of(definition).fromJson(object);
        }
        if (!messages.isInstance(json)) {
            throw new IllegalArgumentException(json + " is no " + messages.getName()
                    + "; a record is an object of its fields with its name as \"type\"");
        }
        return messages.cast(json);
    }

    private <V> void set(
            String key, @Nullable V value, BiFunction<EntityDefinition<M>, V, EntityDefinition<M>> change) {
        if (value == null) {
            return;
        }
        try {
            definition = change.apply(definition, value);
        } catch (IllegalArgumentException e) {
            throw section.refusal(key, String.valueOf(e.getMessage()));
        }
    }

    /** An object of the class that the key names; its generic parameter, if it has one, is taken to be the messages. */
    private <V> void instance(
            String key, Class<?> port, BiFunction<EntityDefinition<M>, V, EntityDefinition<M>> change) {
        if (section.has(key)) {
            @SuppressWarnings("unchecked") // if the class declares its message type, it is compared
            V made = (V)
                    NamedClasses.instance(section, key, port, definition.type().messageClass());
            set(key, made, change);
        }
    }

    private @Nullable Integer whole(String key) {
        Object value = section.json().getValue(key);
        if (value == null) {
            return null;
        }
        try {
            OptionKey.named(key).require(value);
        } catch (IllegalArgumentException e) {
            throw section.refusal(key, String.valueOf(e.getMessage()));
        }
        return ((Number) value).intValue();
    }

    private @Nullable Duration millis(String key) {
        Integer millis = whole(key);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private static RestartPolicy policy(ConfigSection parent, String key) {
        if (parent.json().getValue(key) instanceof String) {
            return policy(parent, key, new ConfigSection(parent.key(key), new JsonObject()), parent);
        }
        ConfigSection own = parent.section(key).allow(POLICY_KEYS);
        return policy(own, KIND, own, own);
    }

    private static RestartPolicy policy(ConfigSection of, String key, ConfigSection own, ConfigSection refusing) {
        RestartPolicy.Kind kind = choice(of, key, RestartPolicy.Kind.class);
        if (kind == null) {
            throw refusing.refusal(key, "must be set");
        }
        long min = number(own, "minBackoffMs", 0);
        long most = number(own, "maxRestarts", NO_LIMIT);
        try {
            RestartPolicy policy = new RestartPolicy(
                    kind, Duration.ofMillis(min), Duration.ofMillis(number(own, "maxBackoffMs", min)));
            return most == NO_LIMIT
                    ? policy
                    : policy.withLimit((int) most, Duration.ofMillis(number(own, "withinMs", 0)));
        } catch (IllegalArgumentException e) {
            throw refusing.refusal(key, String.valueOf(e.getMessage()));
        }
    }

    private static long number(ConfigSection section, String key, long otherwise) {
        return section.has(key) ? section.number(key, 0, Integer.MAX_VALUE, 0) : otherwise;
    }

    private static <E extends Enum<E>> @Nullable E choice(ConfigSection section, String key, Class<E> of) {
        String text = section.text(key, null);
        if (text == null) {
            return null;
        }
        var names = new TreeSet<String>();
        for (E one : of.getEnumConstants()) {
            String name = one.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (name.equals(text)) {
                return one;
            }
            names.add(name);
        }
        throw section.refusal(key, "\"" + text + "\": use one of " + String.join(", ", names));
    }
}
