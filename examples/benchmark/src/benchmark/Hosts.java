package benchmark;

import io.shardbus.model.TypeState;
import io.shardbus.model.TypeState.ShardStatus;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A cluster of processes that host, and this process, which hosts nothing and may not coordinate. Closing kills them
 * all.
 */
final class Hosts implements AutoCloseable {
    static final long AWAIT_S = 120;
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long POLL_MS = 20;

    private final String cluster = "benchmark-" + UUID.randomUUID();
    private final List<Integer> ports;
    private final Arguments told;
    private final Path logs;
    private final List<HostProcess> processes = new ArrayList<>();

    /**
     * @param most processes at most, without this one
     * @param told what all nodes are told
     */
    Hosts(int most, Arguments told, Path logs) {
        this.ports = Ports.free(most + 1);
        this.told = told;
        this.logs = logs;
    }

    /** Starts one; it is not ready yet. */
    HostProcess start() throws Exception {
        return started(HostProcess.start(place(processes.size()), told, log()));
    }

    /** Starts one that coordinates and hosts nothing. */
    HostProcess startProxy() throws Exception {
        return started(HostProcess.startProxy(place(processes.size()), told, log()));
    }

    private HostProcess started(HostProcess process) {
        processes.add(process);
        return process;
    }

    private Node.Place place(int number) {
        return new Node.Place(cluster, ports, number);
    }

    private Path log() throws Exception {
        Files.createDirectories(logs);
        return logs.resolve("host-" + processes.size() + ".log");
    }

    /** Starts so many, one after the other. */
    void startReady(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            start().awaitReady();
        }
    }

    /** This process's node. */
    Node node() throws Exception {
        var options = told.options(new JsonObject().put("coordinator", false));
        return Node.start(place(ports.size() - 1), options).await(AWAIT_S, TimeUnit.SECONDS);
    }

    /** The processor time of all processes and this one. */
    Cpu cpu() {
        var pids = processes.stream().mapToLong(HostProcess::pid).toArray();
        long[] all = Arrays.copyOf(pids, pids.length + 1);
        all[pids.length] = ProcessHandle.current().pid();
        return new Cpu(all);
    }

    List<HostProcess> processes() {
        return processes;
    }

    /** The counters' table, as the coordinator and the regions say it. */
    static TypeState state(Node node) throws Exception {
        return node.sharding().typeState(Node.COUNTER.name()).await(AWAIT_S, TimeUnit.SECONDS);
    }

    /** How many shards the hosts have: least, most and sum. */
    static IntSummaryStatistics shards(TypeState state) {
        return state.regions().stream()
                .filter(region -> !region.proxy())
                .mapToInt(TypeState.Region::shards)
                .summaryStatistics();
    }

    static long active(TypeState state) {
        return state.shards().stream()
                .filter(shard -> shard.status() == ShardStatus.ACTIVE)
                .count();
    }

    /** A condition that may fail while it is looked at. */
    interface Condition {
        boolean holds() throws Exception;
    }

    /** Looks every few milliseconds; an unanswered question is asked again. */
    static void await(String what, Condition condition) throws InterruptedException {
        await(what, POLL_MS, condition);
    }

    /** The same, looking so often. */
    static void await(String what, long everyMillis, Condition condition) throws InterruptedException {
        long begin = System.nanoTime();
        Exception last = null;
        while (System.nanoTime() - begin < LONGEST_NS) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            TimeUnit.MILLISECONDS.sleep(everyMillis);
        }
        throw new IllegalStateException("not after 5 minutes: " + what, last);
    }

    @Override
    public void close() {
        processes.forEach(HostProcess::close);
    }
}
