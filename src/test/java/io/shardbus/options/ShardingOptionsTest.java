package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardingOptionsTest {
    private static final long DAY = 86_400_000;

    /** Key, a legal value other than the default, and values out of range just below and above. */
    static Stream<Arguments> keys() {
        return Stream.of(plainKeys(), nestedKeys(), keysOfTheBus()).flatMap(Function.identity());
    }

    private static Stream<Arguments> plainKeys() {
        return Stream.of(
                Arguments.of(
                        "roles", new JsonArray().add("backend"), new JsonArray().add(""), new JsonArray().add("a b")),
                Arguments.of(
                        "requiredTypes",
                        new JsonArray().add("cart"),
                        new JsonArray().add("a b"),
                        new JsonArray().add("x".repeat(65))),
                Arguments.of("coordinator", false, null, null),
                Arguments.of("appVersion", "1.2.3", "", "x".repeat(65)),
                Arguments.of("numberOfShards", 65_536, 0, 65_537),
                Arguments.of("lanes", 64, -1, 65),
                Arguments.of("leaseDurationMs", 120_000L, 499L, 120_001L),
                Arguments.of("decisionTimeMs", 0L, -1L, 60_001L),
                Arguments.of("failureDetectionMs", 100L, 99L, 60_001L),
                Arguments.of("storeRoundTripMs", 1L, 0L, 5001L),
                Arguments.of("minimumMembers", 1000, 0, 1001),
                Arguments.of(
                        "minimumMembersOfRole",
                        new JsonObject().put("backend", 1000),
                        new JsonObject().put("backend", 0),
                        new JsonObject().put("a b", 1)),
                Arguments.of("awaitPredecessorLeases", false, null, null),
                Arguments.of("deathWitness", "refused-connection", "", "doctor"),
                Arguments.of("shardLease", "infinispan", "", "Infinispan"),
                Arguments.of("leaseRetryIntervalMs", 10L, 9L, 3_600_001L),
                Arguments.of("stateStoreMode", "durable", "", "Durable"),
                Arguments.of("stateStoreDirectory", "/var/lib/shardbus", null, "x".repeat(4097)),
                Arguments.of("stateStoreTimeoutMs", 100L, 99L, 120_001L),
                Arguments.of("askTimeoutMs", DAY, 0L, DAY + 1),
                Arguments.of("bufferSize", 10_000_000, 0, 10_000_001),
                Arguments.of("mailboxSize", 1_000_000, 0, 1_000_001),
                Arguments.of("handoffTimeoutMs", 10L, 9L, 3_600_001L),
                Arguments.of("stopTimeoutMs", 1L, 0L, 600_001L),
                Arguments.of("shutdownTimeoutMs", 100L, 99L, 3_600_001L),
                Arguments.of("handoverTimeoutMs", 60_000L, 99L, 60_001L),
                Arguments.of("handoverRequired", true, null, null),
                Arguments.of("stateInspection", true, null, null),
                Arguments.of("latencySampling", 1, -1, 65_537),
                Arguments.of("handoverBytes", 0, -1, (1 << 30) + 1),
                Arguments.of("retryIntervalMs", 10L, 9L, 60_001L),
                Arguments.of("rebalanceIntervalMs", 0L, -1L, 3_600_001L),
                Arguments.of("allocationStrategy", "consistent-hashing", "", "Least-Shards"),
                Arguments.of("rebalanceAbsoluteLimit", 65_536, 0, 65_537),
                Arguments.of("rebalanceRelativeLimit", 1.0, 0.0, 1.01),
                Arguments.of("rebalanceThreshold", 10_000, 0, 10_001),
                Arguments.of("maxSimultaneousRebalance", 65_536, 0, 65_537),
                Arguments.of("maxPayloadBytes", 64, 63, 67_108_865),
                Arguments.of("frameBytes", 16_777_216, 1023, 16_777_217),
                Arguments.of("frameMessages", 65_535, 0, 65_536),
                Arguments.of("frameWindow", 4096, 0, 4097),
                Arguments.of("serializeLocal", true, null, null),
                Arguments.of("queryTimeoutMs", 60_000L, 9L, 60_001L));
    }

    private static Stream<Arguments> keysOfTheBus() {
        return Stream.of(
                Arguments.of("addressPrefix", "a.b-c_", "", "shard/"),
                Arguments.of("busNewEntitiesPerSecond", 1_000_000, -1, 1_000_001),
                Arguments.of("clusterSecretFile", "/run/secrets/shardbus", null, "x".repeat(4097)),
                Arguments.of("tracingPolicy", "always", "", "Always"),
                Arguments.of("traceEntityIds", true, null, null),
                Arguments.of("logEntityIds", true, null, null));
    }

    /** Those with options of their own, and a legal value; what is wrong in them is theirs to say. */
    static Stream<Arguments> nestedKeys() {
        return Stream.of(
                Arguments.of(
                        "splitBrain",
                        new SplitBrainOptions().setStrategy("down-all").toJson(),
                        null,
                        null),
                Arguments.of(
                        "entityRecovery",
                        new EntityRecoveryOptions().setStrategy("constant").toJson(),
                        null,
                        null),
                Arguments.of(
                        "passivation",
                        new PassivationOptions().setStrategy("composite").toJson(),
                        null,
                        null),
                Arguments.of("direct", new DirectOptions().setEnabled(true).toJson(), null, null),
                Arguments.of(
                        "metrics", new MetricsOptions().setRegistry("default").toJson(), null, null));
    }

    static Stream<Arguments> wrongTypes() {
        return OptionKey.ALL.stream()
                .flatMap(key ->
                        wrongTypes(key.toJson(new ShardingOptions())).map(wrong -> Arguments.of(key.name(), wrong)));
    }

    private static Stream<Object> wrongTypes(Object right) {
        if (right instanceof Boolean) {
            return Stream.of("true", 1);
        }
        if (right instanceof Double) {
            return Stream.of("0.5", true);
        }
        if (right instanceof Number) {
            return Stream.of("5", 5.0, true, new JsonObject());
        }
        if (right instanceof JsonObject) {
            return Stream.of("keep-majority", 5, new JsonArray());
        }
        return right instanceof String
                ? Stream.of(5, true, new JsonArray())
                : Stream.of("backend", new JsonArray().add(5), new JsonArray().addNull(), new JsonObject());
    }

    @Test
    void everyKeyIsTested() {
        assertEquals(
                OptionKey.ALL.stream().map(OptionKey::name).toList(),
                keys().map(key -> key.get()[0]).toList());
    }

    @Test
    @DisplayName("lets an ask, by default, outlast the lease of a crashed home by 1 s at least")
    void defaultAskOutlastsALease() {
        long spare = ShardingOptions.DEFAULT_ASK_TIMEOUT_MS - ShardingOptions.DEFAULT_LEASE_DURATION_MS;
        assertTrue(spare >= 1000, () -> spare + " ms");
        var options = new ShardingOptions();
        assertEquals(ShardingOptions.DEFAULT_ASK_TIMEOUT_MS, options.getAskTimeoutMs());
        assertEquals(ShardingOptions.DEFAULT_LEASE_DURATION_MS, options.getLeaseDurationMs());
    }

    @Test
    void defaultsAreValidAndEqual() {
        var options = new ShardingOptions();
        assertDoesNotThrow(options::validate);
        assertEquals(options, new ShardingOptions());
        assertEquals(options.hashCode(), new ShardingOptions().hashCode());
        assertEquals(OptionKey.ALL.size(), options.toJson().size());
        assertEquals(8000, ShardingOptions.DEFAULT_LEASE_DURATION_MS);
        assertEquals(List.of(), options.getRoles());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void goesThroughJsonAndCopy(String key, Object value, Object low, Object high) {
        var options = new ShardingOptions(new JsonObject().put(key, value));
        assertEquals(value, options.toJson().getValue(key));
        assertNotEquals(new ShardingOptions(), options);
        assertEquals(options, new ShardingOptions(options));
        assertEquals(
                options, new ShardingOptions(new JsonObject(options.toJson().encode())));
        assertEquals(options.hashCode(), new ShardingOptions(options).hashCode());
        assertDoesNotThrow(() -> OptionKey.named(key).check(options));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void refusesWhatIsOutOfRange(String key, Object value, Object low, Object high) {
        for (var wrong : Arrays.asList(low, high)) {
            if (wrong != null) {
                var options = new ShardingOptions(new JsonObject().put(key, wrong));
                var message = assertThrows(IllegalArgumentException.class, options::validate)
                        .getMessage();
                assertNames(message, key, wrong);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("wrongTypes")
    void refusesWrongTypes(String key, Object wrong) {
        var json = new JsonObject().put(key, wrong);
        var message = assertThrows(IllegalArgumentException.class, () -> new ShardingOptions(json))
                .getMessage();
        assertNames(message, key, wrong);
    }

    @Test
    void refusesNullAndNumbersThatDoNotFit() {
        for (var json :
                List.of("{\"lanes\":null}", "{\"lanes\":4294967297}", "{\"askTimeoutMs\":92233720368547758070}")) {
            assertThrows(IllegalArgumentException.class, () -> new ShardingOptions(new JsonObject(json)), json);
        }
        var options = new ShardingOptions().setRebalanceRelativeLimit(Double.NaN);
        assertThrows(IllegalArgumentException.class, options::validate);
        assertThrows(NullPointerException.class, () -> new ShardingOptions().setAddressPrefix(null));
    }

    @Test
    void takesWholeNumbersOfAnyWidth() {
        var json = new JsonObject().put("lanes", 2L).put("askTimeoutMs", 7).put("rebalanceRelativeLimit", 1);
        var options = new ShardingOptions(json);
        assertEquals(2, options.getLanes());
        assertEquals(7, options.getAskTimeoutMs());
        assertEquals(1.0, options.getRebalanceRelativeLimit());
    }

    @Test
    void namesTheNearestKeyForAnUnknownOne() {
        assertUnknown("numberOfShard", "numberOfShards");
        assertUnknown("leaseduration", "leaseDurationMs");
        assertUnknown("role", "roles");
        assertUnknown("lane", "lanes");
    }

    @Test
    void namesNoKeyThatIsFarAway() {
        assertEquals("unknown option 'colour'; docs/reference/options.md lists all", unknown("colour"));
        assertEquals("unknown option 'x'; docs/reference/options.md lists all", unknown("x"));
    }

    @Test
    void knowsTheSectionsOfTheLaunchersFile() {
        assertEquals(
                "unknown option 'cluster': it is a section of the launcher's file, not of the options",
                unknown("cluster"));
        assertUnknown("admn", "admin");
        assertUnknown("eventbus", "eventBus");
        assertUnknown("region", "regions");
    }

    @Test
    void refusalSaysKeyValueAndRange() {
        var options = new ShardingOptions().setLanes(65);
        var refusal = assertThrows(IllegalArgumentException.class, options::validate);
        assertEquals("option 'lanes' = 65: must be a whole number in 0..64", refusal.getMessage());
    }

    @Test
    void longValuesAreCutInRefusals() {
        var options = new ShardingOptions().setAddressPrefix("x".repeat(10_000));
        var refusal = assertThrows(IllegalArgumentException.class, options::validate);
        assertTrue(refusal.getMessage().length() < 200, refusal.getMessage());
    }

    @Test
    void leaseMustOutliveTheDetection() {
        var refusal =
                assertThrows(IllegalArgumentException.class, () -> lease(6000).validate());
        assertEquals(
                "option 'leaseDurationMs' = 6000 is too short for the failure detection: failureDetectionMs 4800 + "
                        + "decisionTimeMs 1000 + 4 x storeRoundTripMs 100 = 6200 must be less"
                        + " than 0.8 x leaseDurationMs"
                        + " = 4800; set leaseDurationMs to 7751 or more, or lower failureDetectionMs (after making the"
                        + " JGroups failure detection faster), decisionTimeMs or storeRoundTripMs",
                refusal.getMessage());
    }

    private static ShardingOptions arbiterLease(long releaseAfter) {
        return new ShardingOptions()
                .setSplitBrain(new SplitBrainOptions()
                        .setStrategy("lease-majority")
                        .setArbiter("com.example.Arbiter")
                        .setReleaseAfterMs(releaseAfter));
    }

    @Test
    void theArbitersLeaseMustBeKeptUntilTheOtherSideHasAsked() {
        var refusal = assertThrows(
                IllegalArgumentException.class, () -> arbiterLease(16_800).validate());
        assertEquals(
                "option 'splitBrain.releaseAfterMs' = 16800 is too short: the other side may ask"
                        + " after failureDetectionMs"
                        + " 4800 + decisionTimeMs 1000 + 4000 of changes + minorityDelayMs 2000 + 5000 for an answer ="
                        + " 16800; set it to 16801 or more",
                refusal.getMessage());
        assertDoesNotThrow(() -> arbiterLease(16_801).validate());
        assertDoesNotThrow(
                () -> arbiterLease(1000).setAwaitPredecessorLeases(false).validate());
    }

    @Test
    void leaseCheckIsExact() {
        assertThrows(IllegalArgumentException.class, () -> lease(7750).validate());
        assertDoesNotThrow(() -> lease(7751).validate());
    }

    @Test
    void adviceIsPossible() {
        var options = new ShardingOptions().setFailureDetectionMs(60_000).setDecisionTimeMs(60_000);
        var refusal = assertThrows(IllegalArgumentException.class, options::validate);
        assertFalse(refusal.getMessage().contains("set leaseDurationMs"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("lower failureDetectionMs"), refusal.getMessage());
    }

    @Test
    void leaseIsNotCheckedWhereNoneIsAwaited() {
        assertDoesNotThrow(() -> lease(500).setAwaitPredecessorLeases(false).validate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-shards", "least-shards-threshold", "consistent-hashing"})
    void knowsTheStrategies(String strategy) {
        assertDoesNotThrow(
                () -> new ShardingOptions().setAllocationStrategy(strategy).validate());
    }

    @Test
    void rolesAreACopy() {
        var roles = new ArrayList<>(List.of("a"));
        var options = new ShardingOptions().setRoles(roles).addRole("b");
        roles.add("c");
        assertEquals(List.of("a", "b"), options.getRoles());
        options.toJson().getJsonArray("roles").add("d");
        assertEquals(List.of("a", "b"), options.getRoles());
    }

    @Test
    void showsItsJson() {
        var options = new ShardingOptions().setLanes(3);
        assertEquals("ShardingOptions" + options.toJson().encode(), options.toString());
    }

    private static ShardingOptions lease(long millis) {
        return new ShardingOptions().setLeaseDurationMs(millis);
    }

    private static void assertUnknown(String key, String nearest) {
        assertEquals("unknown option '" + key + "': did you mean '" + nearest + "'?", unknown(key));
    }

    private static String unknown(String key) {
        return assertThrows(IllegalArgumentException.class, () -> new ShardingOptions(new JsonObject().put(key, 1)))
                .getMessage();
    }

    private static void assertNames(String message, String key, Object value) {
        assertAll(
                () -> assertTrue(message.contains("'" + key + "'"), message),
                () -> assertTrue(message.contains(OptionKey.named(key).range()), message),
                () -> assertTrue(message.contains("...") || message.contains(Json.encode(value)), message));
    }
}
