package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardRegionVerticleTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int LANES = 2;
    private static final JsonObject OPTIONS = new JsonObject()
            .put("roles", new JsonArray().add("front"))
            .put("awaitPredecessorLeases", false)
            .put("lanes", LANES);

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    void startsARegionFromJsonAndEndsItWhenUndeployed() {
        var deployment = deploy(config());
        var sharding = sharding();
        assertEquals(Set.of("greeter"), sharding.startedTypes());
        assertEquals(7, sharding.region("greeter").orElseThrow().numberOfShards());
        assertEquals("hello Ada, I am 42", greet("Ada"));
        Await.result(vertx.undeploy(deployment));
        assertEquals(Set.of(), sharding.startedTypes());
        deploy(config());
        assertEquals("hello again, I am 42", greet("again"));
    }

    @Test
    void endsOnlyItsOwnRegion() {
        var first = deploy(config().put("type", "first"));
        deploy(config());
        int deployed = vertx.deploymentIDs().size();
        Await.result(vertx.undeploy(first));
        assertEquals(deployed - 1 - LANES, vertx.deploymentIDs().size());
        assertEquals(Set.of("greeter"), sharding().startedTypes());
        assertEquals("hello Ada, I am 42", greet("Ada"));
        deploy(config().put("type", "third"));
        assertEquals("hello Ada, I am 42", greet("third", "Ada"));
    }

    @Test
    void theRegionOfTwoDeploymentsEndsWithTheLast() {
        var first = deploy(config());
        var second = deploy(config());
        Await.result(vertx.undeploy(first));
        assertEquals("hello Ada, I am 42", greet("Ada"));
        var third = deploy(config());
        Await.result(vertx.undeploy(second));
        assertEquals("hello Ada, I am 42", greet("Ada"));
        Await.result(vertx.undeploy(third));
        assertEquals(Set.of(), sharding().startedTypes());
        deploy(config());
        assertEquals("hello again, I am 42", greet("again"));
    }

    @Test
    void aDeploymentThatIsRefusedEndsNothing() {
        var deployed = deploy(config());
        var message = refusal(config().put("numberOfShards", 8));
        assertTrue(message.contains("greeter"), message);
        assertEquals("hello Ada, I am 42", greet("Ada"));
        Await.result(vertx.undeploy(deployed));
        assertEquals(Set.of(), sharding().startedTypes());
    }

    @Test
    void makesEntitiesWithoutTheirIdIfTheyDoNotTakeIt() {
        deploy(config().put("entityClass", Greeter.Nameless.class.getName()));
        assertEquals("hello Ada, I am a stranger", greet("Ada"));
    }

    @Test
    void makesEntitiesThatDoNotSayWhatTheyTake() {
        deploy(config().put("entityClass", Greeter.Any.class.getName()));
        assertEquals("hello Ada, I am anybody", greet("Ada"));
    }

    @Test
    void makesEntitiesByTheFactoryThatItNames() {
        var polite = config().putNull("entityClass").put("entityFactory", Greeter.Polite.class.getName());
        deploy(polite.copy().put("factoryConfig", new JsonObject().put("title", "Dr.")));
        assertEquals("hello Ada, I am Dr. 42", greet("Ada"));
        assertEquals("title: must be set", refusal(polite.copy().put("type", "untitled")));
        assertEquals(
                "entityFactory: makes the entities, so that entityClass must not be set",
                refusal(config().put("entityFactory", Greeter.Polite.class.getName())));
    }

    @Test
    void startsAPersistentTypeWhoseEntitiesAreStillThereWhenItIsDeployedAgain(@TempDir Path folder) {
        var file = folder.resolve("greetings.db");
        var stored = stored(new JsonObject().put("store", "sqlite").put("file", file.toString()));
        var first = deploy(stored);
        var second = deploy(stored.copy().put("type", "other").put("factoryConfig", new JsonObject()));
        assertEquals("hi Ada, number 1", greet("Ada"));
        assertEquals("hello Ada, number 1", greet("other", "Ada"));
        Await.result(vertx.undeploy(first));
        assertEquals("hello Bob, number 2", greet("other", "Bob"));
        Await.result(vertx.undeploy(second));
        // the store has let its file go
        assertFalse(Files.exists(folder.resolve("greetings.db-wal")));
        deploy(stored);
        assertEquals("hi Bob, number 2", greet("Bob"));
    }

    @Test
    void refusesAPersistentTypeWithoutAStoreThatItKnows(@TempDir Path folder) {
        var file = new JsonObject().put("file", folder.resolve("a.db").toString());
        assertTrue(refusal(stored(null)).startsWith("persistence: must be set"), refusal(stored(null)));
        assertEquals("persistence.store: must be set", refusal(stored(file)));
        assertEquals(
                "persistence.store: \"oracle\": use one of sqlite, postgres",
                refusal(stored(file.copy().put("store", "oracle"))));
        var wrong = refusal(stored(file.copy().put("store", "sqlite").put("uri", "secret")));
        assertTrue(wrong.startsWith("persistence.") && !wrong.contains("secret"), wrong);
        assertEquals(
                "persistentFactory: makes the entities, so that entityClass must not be set",
                refusal(stored(file).put("entityClass", Greeter.class.getName())));
    }

    /** Cannot make its type, and keeps the store that it was given. */
    public static final class Unable implements PersistentFactory<String> {
        static volatile @Nullable PersistenceStore given;

        @Override
        public EntityDefinition<String> define(EntityType<String> type, PersistenceStore store) {
            given = store;
            throw new IllegalStateException("no codec");
        }
    }

    @Test
    void aFactoryThatThrowsLeavesNoStoreOpen(@TempDir Path folder) {
        var store = new JsonObject()
                .put("store", "sqlite")
                .put("file", folder.resolve("a.db").toString());
        var failure = assertThrows(
                AssertionError.class, () -> deploy(stored(store).put("persistentFactory", Unable.class.getName())));
        assertEquals("no codec", failure.getCause().getMessage());
        var given = Objects.requireNonNull(Unable.given);
        Await.until(given::name, () -> {
            var start = given.start();
            Await.result(start.transform(ended -> Future.succeededFuture()));
            return start.failed() && start.cause().getMessage().contains("is closed");
        });
    }

    private static JsonObject stored(@Nullable JsonObject store) {
        return config().putNull("entityClass")
                .put("persistentFactory", StoredGreetings.class.getName())
                .put("factoryConfig", new JsonObject().put("greeting", "hi"))
                .put("persistence", store);
    }

    @Test
    void isAProxyIfItSaysSoOrLacksTheRole() {
        deploy(config().put("type", "remote").put("proxy", true).putNull("entityClass"));
        deploy(config().put("role", "back"));
        assertTrue(sharding().region("remote").orElseThrow().isProxy());
        assertTrue(sharding().region("greeter").orElseThrow().isProxy());
    }

    @Test
    void tellsTheMetricsThatItNames() {
        deploy(config().put("type", "measured").put("metricsClass", Greeter.Starts.class.getName()));
        assertEquals("hello Ada, I am 42", greet("measured", "Ada"));
        assertTrue(Greeter.Starts.HEARD.contains("measured MESSAGE"));
    }

    @Test
    void hostsWithTheRole() {
        deploy(config().put("role", "front"));
        assertFalse(sharding().region("greeter").orElseThrow().isProxy());
    }

    @ParameterizedTest
    @CsvSource({
        "type, , type: must be set",
        "type, a b, type: entity type name 'a b'",
        "messageClass, , messageClass: must be set",
        "messageClass, no.such.Class, messageClass: class no.such.Class cannot be loaded",
        "entityClass, , entityClass: must be set",
        "entityClass, no.such.Class, entityClass: class no.such.Class cannot be loaded",
        "entityClass, java.lang.String, entityClass: class java.lang.String does not implement io.shardbus.Entity",
        "entityClass, io.shardbus.Entity, entityClass: class io.shardbus.Entity must be public and not abstract",
        "entityClass, io.shardbus.launcher.Greeter$Unreachable, needs a public constructor",
        "entityClass, io.shardbus.launcher.Greeter$Counting, takes messages of java.lang.Integer, but messageClass"
                + " is java.lang.String",
        "messageClass, java.lang.Long, set messageClass to java.lang.String, or name another class here",
        "entityFactory, io.shardbus.launcher.Greeter, entityFactory: makes the entities",
        "metricsClass, no.such.Class, metricsClass: class no.such.Class cannot be loaded",
        "metricsClass, java.lang.String, metricsClass: class java.lang.String does not implement"
                + " io.shardbus.spi.ShardingMetrics",
        "metricsClass, io.shardbus.spi.ShardingMetrics, metricsClass: class"
                + " io.shardbus.spi.ShardingMetrics must be public and not",
        "numberOfShards, many, must be a whole number in 1..65536",
        "proxy, perhaps, proxy: \"perhaps\" is neither true nor false",
        "rolle, back, rolle: no such key",
        "sharding, none, sharding: must be an object"
    })
    void refusesAndNamesTheKey(String key, String value, String refusal) {
        var message = refusal(config().put(key, value));
        assertTrue(message.contains(refusal), message);
    }

    @Test
    void refusesOptionsThatAreOutOfRange() {
        var message = refusal(config().put("sharding", new JsonObject().put("numberOfShards", 0)));
        assertTrue(message.startsWith("sharding.") && message.contains("numberOfShards"), message);
    }

    private static JsonObject config() {
        return new JsonObject()
                .put("type", "greeter")
                .put("messageClass", String.class.getName())
                .put("entityClass", Greeter.class.getName())
                .put("numberOfShards", 7)
                .put("sharding", OPTIONS);
    }

    private ClusterSharding sharding() {
        return ClusterSharding.create(vertx, new ShardingOptions(OPTIONS));
    }

    private String deploy(JsonObject config) {
        return Await.result(vertx.deployVerticle(
                "io.shardbus.launcher.ShardRegionVerticle", new DeploymentOptions().setConfig(config)));
    }

    private String refusal(JsonObject config) {
        var deployed = vertx.deployVerticle(
                        "io.shardbus.launcher.ShardRegionVerticle", new DeploymentOptions().setConfig(config))
                .toCompletionStage()
                .toCompletableFuture();
        return assertThrows(CompletionException.class, deployed::join)
                .getCause()
                .getMessage();
    }

    private String greet(String name) {
        return greet("greeter", name);
    }

    private String greet(String type, String name) {
        var greeter = sharding().entityRef(EntityType.of(type, String.class), "42");
        return Await.result(greeter.request(name, String.class, TIMEOUT));
    }
}
