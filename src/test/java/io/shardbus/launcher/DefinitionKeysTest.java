package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.integration.CounterMessage;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.SharedStore;
import io.shardbus.options.PassivationOptions;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.spi.HashCodeMessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A definition by configuration. */
class DefinitionKeysTest {
    private static final EntityDefinition<CounterMessage> PLAIN =
            EntityDefinition.of(CounterMessage.COUNTER, id -> (message, context) -> Future.succeededFuture());

    /** Takes the id from nothing. */
    public static final class ByHashCode implements HashCodeMessageExtractor<CounterMessage> {
        @Override
        public String entityId(CounterMessage message) {
            return "one";
        }
    }

    /** For messages of another class. */
    public static final class ByText implements HashCodeMessageExtractor<String> {
        @Override
        public String entityId(String message) {
            return message;
        }
    }

    /** Keeps silent. */
    public static final class Ear implements EntityFailureHandler {
        @Override
        public void entityFailed(Report report) {}
    }

    /** Leaves all where it is. */
    public static final class Nowhere implements AllocationStrategy {
        @Override
        public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
            return Future.succeededFuture(requester);
        }

        @Override
        public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
            return Future.succeededFuture(Set.of());
        }
    }

    /** A store that is not there. */
    public static final class Unprepared implements Supplier<Future<?>> {
        @Override
        public Future<?> get() {
            return Future.failedFuture("no store is there");
        }
    }

    /** A store of the application's own. */
    public static final class Own implements Supplier<Future<SharedStore>> {
        @Override
        public Future<SharedStore> get() {
            return Future.succeededFuture(new SharedStore("7", "own"));
        }
    }

    private static EntityDefinition<CounterMessage> read(String json) {
        return DefinitionKeys.apply(new ConfigSection("", new JsonObject(json.replace('\'', '"'))), PLAIN);
    }

    @Test
    @DisplayName("A definition by configuration is equal to the same one by code")
    void saysAllThatCodeSays() {
        var read = read("""
                {
                  'role': 'backend', 'numberOfShards': 20, 'minimumMembers': 2, 'askTimeoutMs': 700,
                  'stopTimeoutMs': 800, 'handoffTimeoutMs': 900, 'mailboxSize': 10, 'bufferSize': 30,
                  'retryIntervalMs': 1000, 'rebalanceIntervalMs': 0, 'shardLease': 'infinispan',
                  'rememberEntities': true, 'execution': 'worker', 'allocationStrategy': 'consistent-hashing',
                  'passivation': {'strategy': 'composite', 'activeEntityLimit': 50},
                  'restartPolicy': {'kind': 'stop-with-backoff', 'minBackoffMs': 5, 'maxBackoffMs': 50,
                                    'maxRestarts': 3, 'withinMs': 1000},
                  'restartPolicies': {'java.io.IOException': 'resume', 'java.lang.Error': {'kind': 'stop'}},
                  'stopMessage': {'type': 'Add', 'amount': 5},
                  'messageExtractorClass': '%1$s$ByHashCode', 'failureHandlerClass': '%1$s$Ear'
                }
                """.formatted(getClass().getName()));
        var coded = PLAIN.withRole("backend")
                .withNumberOfShards(20)
                .withMinimumMembers(2)
                .withAskTimeout(Duration.ofMillis(700))
                .withStopTimeout(Duration.ofMillis(800))
                .withHandoffTimeout(Duration.ofMillis(900))
                .withRetryInterval(Duration.ofSeconds(1))
                .withRebalanceInterval(Duration.ZERO)
                .withShardLease("infinispan")
                .withMailboxSize(10)
                .withBufferSize(30)
                .withRememberEntities(true)
                .withExecution(ExecutionModel.WORKER)
                .withAllocation("consistent-hashing")
                .withPassivation(
                        new PassivationOptions().setStrategy("composite").setActiveEntityLimit(50))
                .withRestartPolicy(RestartPolicy.stopWithBackoff(Duration.ofMillis(5), Duration.ofMillis(50))
                        .withLimit(3, Duration.ofSeconds(1)))
                .withRestartPolicy(IOException.class, RestartPolicy.resume())
                .withRestartPolicy(Error.class, RestartPolicy.stop())
                .withStopMessage(new CounterMessage.Add(5))
                .withMessageExtractor(new ByHashCode());
        assertEquals("", coded.differences(read));
        assertEquals(coded, read);
        assertTrue(read.failureHandler().orElseThrow() instanceof Ear);
    }

    @Test
    void namesAStrategyByItsClass() {
        var read = read("{'allocationStrategy': '" + Nowhere.class.getName() + "'}");
        assertTrue(read.allocationStrategy().orElseThrow() instanceof Nowhere);
    }

    @Test
    void takesATextAsStopMessageWhereMessagesAreTexts() {
        var texts = EntityDefinition.of(EntityType.of("texts", String.class), id -> (message, context) -> null);
        var section = new ConfigSection("", new JsonObject().put("stopMessage", "end"));
        assertEquals("end", DefinitionKeys.apply(section, texts).stopMessage().orElseThrow());
    }

    @Test
    void namesAPreparationByItsClass() {
        var read = read("{'preparationClass': '" + Unprepared.class.getName() + "'}");
        var prepared = read.preparation().orElseThrow().get();
        assertEquals("no store is there", prepared.cause().getMessage());
    }

    @Test
    void namesASharedStoreByItsClass() {
        var read = read("{'sharedStoreClass': '" + Own.class.getName() + "'}");
        assertEquals(
                new SharedStore("7", "own"),
                read.sharedStore().orElseThrow().get().result());
    }

    @Test
    void everyPartOfADefinitionHasAKey() {
        var keys = DefinitionKeys.shape().fieldNames().stream()
                .map(key -> key.replaceAll("(Class|Ms)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        var parts = Arrays.stream(EntityDefinition.class.getMethods())
                .map(Method::getName)
                .filter(name -> name.startsWith("with"))
                .map(name -> name.substring(4, 5).toLowerCase(Locale.ROOT) + name.substring(5))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(parts.remove("allocation"), "by the key of the strategy");
        assertTrue(parts.remove("shardLeases"), "by shardLeaseClass");
        assertTrue(keys.remove("restartPolicies"), "the restart policies by class");
        assertEquals(parts, keys);
    }

    /** The keys in the first column of the table of regions. */
    private static Set<String> described(String page) {
        String heading = "## Keys of `regions`";
        return page.substring(page.indexOf(heading) + heading.length())
                .lines()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .flatMap(line -> Arrays.stream(line.split("\\|", -1)[1].split(",", -1)))
                .map(key -> key.replace("`", "").trim())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theReferenceHasEveryKeyOfARegion() throws IOException {
        String page = Files.readString(Path.of("docs", "reference", "options.md"));
        var keys = new TreeSet<>(DefinitionKeys.shape().fieldNames());
        keys.addAll(RegionConfig.KEYS);
        keys.add(DataCenterConfig.KEY);
        assertEquals(keys, described(page));
        assertTrue(keys.remove("execution"));
        assertEquals(keys, described(page.replace("| `execution` |", "| |")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'askTimeoutMs': 0} | askTimeoutMs: option 'askTimeoutMs' = 0: must be a whole number in 1..86400000",
                "{'mailboxSize': 'many'} | mailboxSize: option",
                "{'execution': 'fast'} | execution: \"fast\": use one of event-loop, virtual-thread, worker",
                "{'restartPolicy': 'never'} | restartPolicy: \"never\": use one of restart,"
                        + " resume, stop, stop-with-backoff",
                "{'restartPolicy': {'kind': 'stop', 'maxRestarts': 1, 'withinMs': 5}} |"
                        + " restartPolicy.kind: restart limit",
                "{'restartPolicy': {'kid': 'stop'}} | restartPolicy.kid: no such key",
                "{'restartPolicies': {'java.lang.String': 'stop'}} | restartPolicies.java.lang.String: is no class",
                "{'passivation': {'strategy': 'none', 'x': 1}} | passivation: ",
                "{'allocationStrategy': 'best'} | allocationStrategy: entity type 'counter': no"
                        + " allocation strategy 'best'",
                "{'shardLease': 'zookeeper'} | shardLease: entity type 'counter': no shard lease 'zookeeper'",
                "{'shardLease': 'none', 'shardLeaseClass': 'a.B'} | shardLease: shardLeaseClass names another one",
                "{'stopMessage': {'type': 'Nothing'}} | stopMessage: ",
                "{'stopMessage': 5} | stopMessage: 5 is no io.shardbus.integration.CounterMessage",
                "{'messageExtractorClass': 'io.shardbus.launcher.DefinitionKeysTest$ByText'} | takes"
                        + " messages of java.lang.String",
                "{'codecClass': 'java.lang.String'} | codecClass: class java.lang.String does not implement"
            })
    void refusesAndNamesTheKey(String json, String refusal) {
        var message =
                assertThrows(IllegalArgumentException.class, () -> read(json)).getMessage();
        assertTrue(message.contains(refusal), message);
    }
}
