package benchmark;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What hosts cost without traffic: processor time, and what they write, by the kernel's count. */
final class IdleRun {
    private static final long SETTLE_S = 15;

    private final Arguments told;
    private final Path logs;

    /** What a process has used up to a moment. */
    private record Used(double cpuSeconds, long bytes, long writes) {
        static Used of(HostProcess process) throws IOException {
            var io = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "io"));
            return new Used(new Cpu(process.pid()).seconds(), value(io, "wchar:"), value(io, "syscw:"));
        }

        private static long value(Iterable<String> lines, String key) {
            for (var line : lines) {
                if (line.startsWith(key)) {
                    return Long.parseLong(line.substring(key.length()).trim());
                }
            }
            throw new IllegalStateException("no " + key + " in /proc/PID/io");
        }
    }

    IdleRun(Arguments told, Path logs) {
        this.told = told;
        this.logs = logs;
    }

    void run() throws Exception {
        int count = told.number("hosts", 3, 1, 8);
        int seconds = told.number("seconds", 60, 1, 3600);
        int shards = told.number("shards", 100, 10, 65_536);
        int entities = told.number("entities", 0, 0, 1_000_000);
        var all = told.with(new JsonObject().put("numberOfShards", shards));
        try (var hosts = new Hosts(count, all, logs)) {
            hosts.startReady(count);
            touch(hosts, shards, entities);
            TimeUnit.SECONDS.sleep(SETTLE_S);
            var before = new Used[count];
            long begin = System.nanoTime();
            for (int i = 0; i < count; i++) {
                before[i] = Used.of(hosts.processes().get(i));
            }
            TimeUnit.SECONDS.sleep(seconds);
            double time = GrowthRuns.seconds(begin);
            for (int i = 0; i < count; i++) {
                report(i, shards, before[i], Used.of(hosts.processes().get(i)), time);
            }
        }
    }

    /** All shards get a home, and the node that has asked for it leaves again. */
    private static void touch(Hosts hosts, int shards, int entities) throws Exception {
        var node = hosts.node();
        AllocationRun.touch(node, AllocationRun.oneIdForEachShard(shards), System.nanoTime(), new AtomicLong());
        if (entities > 0) {
            new Load(node, hosts.cpu(), entities).asks(entities, 256, 0);
        }
        node.vertx().close().await(Hosts.AWAIT_S, TimeUnit.SECONDS);
    }

    private static void report(int number, int shards, Used before, Used after, double time) {
        GrowthRuns.print(
                "growth idle host=%d shards=%d cpu_percent=%.2f bytes_per_s=%.0f writes_per_s=%.0f",
                number,
                shards,
                100 * (after.cpuSeconds() - before.cpuSeconds()) / time,
                (after.bytes() - before.bytes()) / time,
                (after.writes() - before.writes()) / time);
    }
}
