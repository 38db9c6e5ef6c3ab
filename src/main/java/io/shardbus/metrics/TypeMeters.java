package io.shardbus.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.hosting.HostedShards;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.FailureCode;
import io.shardbus.model.ShardMove;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.clock.Nanos;
import io.shardbus.runtime.node.MeterSource;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.runtime.region.RegionCounters;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.runtime.region.RegionQueries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The meters of one type on this node. */
final class TypeMeters {
    private static final List<String> OUTCOMES = List.of("moved", "stayed", "forced");
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String STASHED = "stashed";
    private static final MeterSource.Table NO_TABLE = new MeterSource.Table(0, 0, 0, 0, 0, 0, 0, 0, 1);

    private final RegionHandle<?> region;
    private final Meters meters;
    private final LatencyMeters latency;
    private final RegionCounters.SilenceListener silences;
    private final StoreMeters store;
    private final ShardMeters perShard;
    private final Map<String, Counter> moves = new HashMap<>();
    private final Map<String, Timer> durations = new HashMap<>();
    private volatile RegionQueries.@Nullable Statistics sample;
    private volatile long sampledAt = Nanos.now();
    private volatile MeterSource.@Nullable Table table;

    TypeMeters(RegionHandle<?> region, MeterRegistry registry, Backlog backlog) {
        this.region = region;
        this.meters = new Meters(registry, Tags.of("type", region.type().name()));
        this.latency = new LatencyMeters(region, registry);
        traffic();
        frames();
        entities();
        shards();
        Timer moving = silence("move");
        Timer homeless = silence("home");
        silences = (millis, isMoving) -> (isMoving ? moving : homeless).record(millis, TimeUnit.MILLISECONDS);
        region.counters().listen(silences);
        perShard = new ShardMeters(meters, Nanos::now);
        store = new StoreMeters(region, meters, backlog);
    }

    private Timer silence(String cause) {
        return meters.timer("shard.silence", "how long messages waited for a home", "cause", cause);
    }

    private void traffic() {
        RegionCounters counters = region.counters();
        for (String kind : List.of("tell", "ask")) {
            String all = kind + "s_sent";
            String remote = all + "_remote";
            String text = "messages sent on this node";
            meters.count("messages.sent", text, () -> sampled(remote), "kind", kind, "side", "remote");
            meters.count("messages.sent", text, () -> sampled(all) - sampled(remote), "kind", kind, "side", "local");
        }
        meters.count("messages.received", "messages given to entities", () -> sampled("messages_delivered"));
        for (FailureCode code : FailureCode.values()) {
            meters.count(
                    "messages.failed",
                    "asks and messages that failed",
                    () -> counters.failures(code),
                    "code",
                    Meters.text(code));
        }
        meters.count("dead.letters", "messages that were not delivered", () -> sampled("dead_letters"));
        meters.count("bus.refused", "refused messages of event-bus clients", () -> sampled("bus_messages_refused"));
        meters.seconds(
                "sample.age",
                "age of the latest figures of the lanes of this type",
                () -> (Nanos.now() - sampledAt) / NANOS_PER_SECOND);
        meters.gauge("region.buffered", "messages that wait for a home or for room", () -> {
            RegionQueries.Statistics last = sample;
            return last == null ? 0 : last.buffered();
        });
        meters.gauge(
                "mailbox.waiting", "messages that wait in mailboxes for their turn", () -> sampled("mailbox_waiting"));
        meters.gauge(
                "region.buffer.limit",
                "how many messages may wait",
                () -> region.settings().bufferSize());
    }

    private void frames() {
        for (String via : List.of("bus", "direct")) {
            for (String direction : List.of("sent", "received")) {
                meters.count(
                        "frames." + direction,
                        "frames to and from lanes of other nodes",
                        () -> sampled("frames_" + direction + "_" + via),
                        "via",
                        via);
                meters.count(
                        "frames.bytes",
                        "bytes of frames to and from lanes of other nodes",
                        () -> sampled("bytes_" + direction + "_" + via),
                        "direction",
                        direction,
                        "via",
                        via);
            }
        }
        meters.count(
                "frames.repeated", "frames sent again, as no acknowledgement came", () -> sampled("frames_repeated"));
        meters.count("window.full", "times that items waited behind a full window", () -> sampled("window_full"));
    }

    private void entities() {
        RegionCounters counters = region.counters();
        meters.gauge("entities", "entities on this node", this::live, "state", "live");
        for (String state : List.of("remembered", "restarting", STASHED)) {
            meters.gauge(
                    "entities",
                    "entities on this node",
                    () -> sampled(STASHED.equals(state) ? "entities_stashed" : state),
                    "state",
                    state);
        }
        for (StartReason reason : StartReason.values()) {
            meters.count(
                    "entities.started",
                    "instances that started",
                    () -> counters.starts(reason),
                    "reason",
                    Meters.text(reason));
        }
        for (StopReason reason : StopReason.values()) {
            meters.count(
                    "entities.stopped",
                    "instances that stopped",
                    () -> counters.stops(reason),
                    "reason",
                    Meters.text(reason));
        }
        for (String action : List.of("restarted", "resumed", "stopped", "backing_off", "gave_up")) {
            meters.count(
                    "entities.failed",
                    "failures of entity code",
                    () -> sampled("failures_" + action),
                    "action",
                    action);
        }
        passivation();
        stateTransfers(counters);
        meters.gauge(
                "store.troubled.shards",
                "shards whose store of remembered entities fails",
                () -> sampled("shards_without_memory"));
    }

    private void passivation() {
        String policy = region.passivation().getStrategy();
        String hits = "messages that met an instance that counts as active, and that had to start one";
        meters.count("passivation.hits", hits, () -> sampled("passivation_hits"), "policy", policy);
        meters.count("passivation.misses", hits, () -> sampled("passivation_misses"), "policy", policy);
        meters.count("passivation.put.away", "entities passivated", () -> sampled("passivated"));
    }

    private void stateTransfers(RegionCounters counters) {
        for (StateTransferOutcome outcome : StateTransferOutcome.values()) {
            meters.count(
                    "handover.bytes",
                    "bytes of the states that moved or did not",
                    () -> counters.handoverBytes(outcome),
                    "outcome",
                    Meters.text(outcome));
        }
        for (String outcome : List.of("taken", "failed", "too_large", "refused", "timed_out", "lost")) {
            meters.count(
                    "handover.entities",
                    "states that moved or did not",
                    () -> sampled("handover_" + outcome),
                    "outcome",
                    outcome);
        }
    }

    private double live() {
        RegionQueries.Statistics last = sample;
        return last == null
                ? 0
                : last.shards().stream()
                        .mapToInt(HostedShards.ShardCount::entities)
                        .sum();
    }

    private void shards() {
        String text = "shards: all on the coordinator, elsewhere those at home here";
        meters.gauge("shards", text, this::atHome, "state", "home");
        meters.gauge("shards", text, () -> table().starting(), "state", "starting");
        meters.gauge("shards", text, () -> table().handoff(), "state", "handoff");
        meters.gauge("shards", text, () -> table().waiting(), "state", "waiting");
        meters.gauge("shards", text, () -> table().resting(), "state", "resting");
        meters.gauge("shards", text, () -> table().pinned(), "state", "pinned");
        meters.gauge("shards.homeless", "wanted shards without a home", () -> table().homeless());
        meters.seconds(
                "shard.handoff.longest",
                "how long the oldest handoff has lasted",
                () -> table().longestHandoffMs() / 1000.0);
        meters.gauge("balance", "1 if spread evenly", () -> table().balance(), "by", "shards");
        meters.seconds(
                "lease.remaining", "how long the region's lease still lasts", () -> region.leaseRemains() / 1000.0);
        meters.count("leases.lost", "leases that ran out or were taken", () -> sampled("leases_lost"));
        for (ShardMove.Cause cause : ShardMove.Cause.values()) {
            String name = Meters.text(cause);
            for (String outcome : OUTCOMES) {
                moves.put(
                        name + outcome,
                        meters.counter("shard.moves", "moves that ended", "cause", name, "outcome", outcome));
            }
            durations.put(name, meters.timer("shard.move.duration", "from first message to home", "cause", name));
        }
    }

    private double atHome() {
        MeterSource.Table present = table;
        RegionQueries.Statistics last = sample;
        return present != null
                ? present.home()
                : last == null ? 0 : last.shards().size();
    }

    private MeterSource.Table table() {
        MeterSource.Table present = table;
        return present == null ? NO_TABLE : present;
    }

    private double sampled(String counter) {
        RegionQueries.Statistics last = sample;
        return last == null ? 0 : last.counters().getOrDefault(counter, 0L);
    }

    /** Whether this is not the region any more. */
    boolean isOver(@Nullable RegionHandle<?> present) {
        return present != region;
    }

    void look() {
        if (region.isOpen()) {
            region.queries().statistics().onSuccess(this::looked);
            latency.look();
        } else {
            sampledAt = Nanos.now();
        }
    }

    private void looked(RegionQueries.Statistics now) {
        sample = now;
        sampledAt = Nanos.now();
        perShard.looked(now.shards());
    }

    /** @param now null where this node does not coordinate the type */
    void coordinated(MeterSource.@Nullable Table now) {
        table = now;
    }

    void happened(ClusterEvent event) {
        boolean moved = event.kind() == ClusterEvent.Kind.SHARD_MOVED;
        if (!moved && event.kind() != ClusterEvent.Kind.SHARD_STAYED) {
            return;
        }
        Map<String, Object> details = event.details();
        String cause = String.valueOf(details.get("cause"));
        String outcome = !moved ? "stayed" : Boolean.TRUE.equals(details.get("forced")) ? "forced" : "moved";
        Counter counter = moves.get(cause + outcome);
        Timer duration = durations.get(cause);
        if (counter != null && duration != null && details.get("durationMs") instanceof Long millis) {
            counter.increment();
            duration.record(millis, TimeUnit.MILLISECONDS);
        }
    }

    void close() {
        region.counters().unlisten(silences);
        store.close();
        latency.close();
        meters.close();
    }
}
