package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.CounterMessage.WhyStarted;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entities that are remembered and also take their state along, on real nodes, one of them a process of its own. */
@Timeout(240)
@Tag("slow")
class RememberedMoveClusterIT {
    private static final int COUNTERS = 60;
    private static final ShardingOptions OPTIONS =
            TestCluster.options().setRebalanceIntervalMs(0).setLeaseDurationMs(4000);

    private final Processes processes = new Processes();
    private TestCluster here;

    @AfterEach
    void close() {
        try (processes) {
            if (here != null) {
                here.close();
            }
        }
    }

    private Set<String> live() {
        return live("counter");
    }

    private Set<String> live(String type) {
        Set<String> ids = new TreeSet<>();
        for (int shard = 0; shard < 20; shard++) {
            // a home that has just left answers nothing
            ids.addAll(await(here.node(0).sharding().entityIds(type, shard).otherwise(Set.of())));
        }
        return ids;
    }

    /** Live entities at a node; -1 while no coordinator can tell. */
    private int entitiesAt(NodeId node) {
        try {
            return region(node).entities();
        } catch (ShardingException | NoSuchElementException e) {
            return -1;
        }
    }

    private TypeState.Region region(NodeId node) {
        return await(here.node(0).sharding().typeState("counter")).regions().stream()
                .filter(region -> region.node().equals(node))
                .findFirst()
                .orElseThrow();
    }

    /** Asks each of them: until now no client has. */
    private void assertAll(Set<String> ids, String reason, Function<String, Long> value) {
        for (String id : ids) {
            assertEquals(reason, await(here.node(0).counter(id).ask(new WhyStarted())), id);
            assertEquals(value.apply(id), await(here.node(0).counter(id).ask(new Get())), id);
        }
    }

    @Test
    @DisplayName("REM-22, REM-23: remembered entities that hand over their state: a planned move takes"
            + " it along and starts them"
            + " without a message; after a crash they are back without it")
    void aMoveKeepsTheStateACrashOnlyTheIds() {
        Processes.Host process = processes.startMoving(OPTIONS);
        NodeId remote = process.node();
        here = processes.join();
        TestCluster.Node observer = here.startNode(new ShardingOptions(OPTIONS).setCoordinator(false));
        await(observer.sharding().start(MovingCounter.remembered().withRole(Processes.HOSTING)));
        Set<String> ids = new TreeSet<>();
        Map<String, Long> values = new HashMap<>();
        for (long i = 1; i <= COUNTERS; i++) {
            ids.add("c" + i);
            values.put("c" + i, await(observer.counter("c" + i).ask(new AddAndGet(i))));
        }
        TestCluster.Node host = here.startNode(new ShardingOptions(OPTIONS).addRole(Processes.HOSTING));
        await(host.sharding().start(MovingCounter.remembered().withRole(Processes.HOSTING)));
        here.untilMembers(3);

        assertTrue(await(observer.sharding().drain(remote)) > 0);
        until("all live at the new home", () -> entitiesAt(host.id()) == COUNTERS && live().equals(ids));
        assertEquals(COUNTERS, region(host.id()).counters().get("handover_taken"));
        assertEquals(COUNTERS, region(host.id()).remembered());
        assertAll(ids, "MOVED", values::get);

        Processes.Host next = processes.startMoving(OPTIONS);
        NodeId last = next.node();
        here.untilMembers(4);
        assertTrue(await(observer.sharding().drain(host.id())) > 0);
        until("all live in the process", () -> entitiesAt(last) == COUNTERS);
        assertAll(ids, "MOVED", values::get);
        process.leave();
        assertEquals(0, process.exitCode(20));
        here.untilMembers(3);
        next.crash();
        // ordered of a coordinator that has left, it holds for the next one, too
        until(
                "its drain is taken back",
                () -> await(observer.sharding().undrain(host.id()).map(true).otherwise(false)));
        until("all are back", () -> entitiesAt(host.id()) == COUNTERS && live().equals(ids));
        assertAll(ids, "REMEMBERED", id -> 0L);
    }

    @Test
    @DisplayName(
            "REM-21: the process of entities crashes: those that are not remembered run elsewhere only after a message")
    void aCrashEndsWhatIsNotRemembered() {
        Processes.Host process = processes.startMoving(OPTIONS);
        NodeId crashed = process.node();
        here = processes.join();
        ClusterSharding observer = startBoth(new ShardingOptions(OPTIONS).setCoordinator(false));
        Set<String> ids = new TreeSet<>();
        for (int i = 1; i <= COUNTERS; i++) {
            ids.add("c" + i);
            await(observer.entityRef(CounterMessage.COUNTER, "c" + i).ask(new AddAndGet(i)));
            await(observer.entityRef(MovingCounter.FORGOTTEN, "c" + i).ask(new AddAndGet(i)));
        }
        assertEquals(ids, live(MovingCounter.FORGOTTEN.name()));
        NodeId host = startBoth(new ShardingOptions(OPTIONS).addRole(Processes.HOSTING))
                .self();
        here.untilMembers(3);

        process.crash();
        here.untilMembers(2);
        here.coordinator();
        until("the remembered ones are back", () -> live().equals(ids));
        assertEquals(COUNTERS, region(host).entities());
        until(
                "both types know of the crash",
                () -> !await(observer.regions(MovingCounter.FORGOTTEN.name()).otherwise(Set.of(crashed)))
                        .contains(crashed));
        assertEquals(Set.of(), live(MovingCounter.FORGOTTEN.name()));
        EntityRef<CounterMessage> woken = observer.entityRef(MovingCounter.FORGOTTEN, "c1");
        assertEquals("MESSAGE", await(woken.ask(new WhyStarted())));
        assertEquals(0, await(woken.ask(new Get())));
        assertEquals(Set.of("c1"), live(MovingCounter.FORGOTTEN.name()));
    }

    private ClusterSharding startBoth(ShardingOptions options) {
        ClusterSharding sharding = here.startNode(options).sharding();
        await(sharding.start(MovingCounter.remembered().withRole(Processes.HOSTING)));
        await(sharding.start(MovingCounter.forgotten().withRole(Processes.HOSTING)));
        return sharding;
    }
}
