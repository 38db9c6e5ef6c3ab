package benchmark;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.options.PassivationOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What a message costs under each policy of passivation, beside none: tells through the whole lane to entities that all
 * stay active, for each policy by turns. On a machine that is not quiet the fastest rounds say most.
 */
final class PassivateRun {
    private static final int ENTITIES = 10_000;
    private static final int ACKNOWLEDGED = 1000;
    private static final int OUTSTANDING = 20;
    private static final long AWAIT_S = 120;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final List<String> POLICIES = List.of(
            PassivationOptions.NONE,
            PassivationOptions.IDLE,
            PassivationOptions.LEAST_RECENTLY_USED,
            PassivationOptions.COMPOSITE);

    private final Arguments told;
    private final int messages;
    private final int rounds;
    private final String[] ids =
            IntStream.range(0, ENTITIES).mapToObj(i -> "counter-" + i).toArray(String[]::new);

    /** The counters of one policy, and the nanoseconds of a message in each round. */
    private record Candidate(String policy, ShardRegion<CounterMessage> counters, List<Double> nanos) {
        EntityRef<CounterMessage> entity(String id) {
            return counters.entityRef(id);
        }

        double median() {
            return nanos.stream().sorted().toList().get(nanos.size() / 2);
        }

        double fastest() {
            return Collections.min(nanos);
        }
    }

    PassivateRun(Arguments told) {
        this.told = told;
        this.messages = told.number("messages", 2_000_000, ACKNOWLEDGED, 1_000_000_000);
        this.rounds = told.number("rounds", 7, 1, 1000);
    }

    void run() throws Exception {
        // one lane and one sender: what another lane does meanwhile would count as the message's
        var options = told.options(
                new JsonObject().put("awaitPredecessorLeases", false).put("lanes", 1));
        var sharding = ClusterSharding.create(Vertx.vertx(), options);
        var candidates = new ArrayList<Candidate>();
        for (var policy : POLICIES) {
            candidates.add(start(sharding, policy));
        }
        for (var candidate : candidates) {
            tell(candidate);
        }
        for (int round = 0; round < rounds; round++) {
            for (var candidate : candidates) {
                candidate.nanos().add(tell(candidate));
            }
        }
        double none = candidates.get(0).fastest();
        candidates.forEach(candidate -> print(candidate, none));
    }

    private Candidate start(ClusterSharding sharding, String policy) throws Exception {
        var passivation = new PassivationOptions().setStrategy(policy);
        if (!List.of(PassivationOptions.NONE, PassivationOptions.IDLE).contains(policy)) {
            passivation.setActiveEntityLimit(2 * ENTITIES);
        }
        var type = EntityType.of("counter-" + policy, CounterMessage.class);
        var counters = sharding.start(EntityDefinition.of(type, id -> new Counter())
                        .withCodec(new CounterCodec())
                        .withPassivation(passivation))
                .await(AWAIT_S, TimeUnit.SECONDS);
        return new Candidate(policy, counters, new ArrayList<>());
    }

    /** The nanoseconds of one message. */
    private double tell(Candidate candidate) throws InterruptedException {
        var permits = new Semaphore(OUTSTANDING);
        long begin = System.nanoTime();
        for (int i = 1; i <= messages; i++) {
            var entity = candidate.entity(ids[i % ENTITIES]);
            if (i % ACKNOWLEDGED == 0) {
                permits.acquire();
                entity.ask(new CounterMessage.AddAndGet(1, Payload.NONE), DEADLINE)
                        .onComplete(sum -> permits.release(), PassivateRun::fail);
            } else {
                entity.tell(new CounterMessage.Add(1, Payload.NONE));
            }
        }
        permits.acquire(OUTSTANDING);
        return (System.nanoTime() - begin) / (double) messages;
    }

    private static void fail(Throwable failure) {
        failure.printStackTrace();
        Runtime.getRuntime().halt(3);
    }

    private void print(Candidate candidate, double none) {
        System.out.println(String.format(
                Locale.ROOT,
                "passivate policy=%s msgs_per_s=%.0f ns_per_msg=%.1f fastest_ns=%.1f fastest_more_than_none_ns=%.1f",
                candidate.policy(),
                1e9 / candidate.median(),
                candidate.median(),
                candidate.fastest(),
                candidate.fastest() - none));
    }
}
