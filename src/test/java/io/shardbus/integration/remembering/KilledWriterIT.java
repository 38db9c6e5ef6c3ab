package io.shardbus.integration.remembering;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.integration.Ports;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed with -9 in the middle of writes, again and again on the same directory. */
@Timeout(240)
@Tag("slow")
class KilledWriterIT {
    private static final int KILLS = 3;
    private static final int BATCHES_BEFORE_KILL = 1_200;

    @TempDir
    private Path directory;

    /** Every batch that was acknowledged, by shard, in order; some are removed again by later ones. */
    private final Map<Integer, List<String>> acknowledged = new HashMap<>();

    @Test
    void noAcknowledgedIdIsLost() throws IOException, InterruptedException {
        int total = 0;
        for (int life = 1; life <= KILLS; life++) {
            acknowledged.clear();
            int count = writeUntilKilled(life);
            var lost = lost(life);
            assertEquals(Set.of(), lost, "lost in life " + life + " of " + count + " batches");
            total += count;
        }
        System.out.println("KilledWriterIT: " + total + " batches acknowledged in " + KILLS + " lives, none lost");
    }

    private int writeUntilKilled(int life) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RememberedWriter.class.getName(),
                        directory.toString(),
                        Integer.toString(Ports.free(1).get(0)),
                        Integer.toString(life))
                .redirectErrorStream(true)
                .start();
        try (var lines = process.inputReader()) {
            int batches = read(lines, BATCHES_BEFORE_KILL + 37 * life);
            process.toHandle().destroyForcibly();
            // what was said until the end counts too
            return batches + read(lines, Integer.MAX_VALUE);
        } finally {
            process.destroyForcibly();
            assertEquals(true, process.waitFor(20, TimeUnit.SECONDS));
        }
    }

    private int read(BufferedReader lines, int most) throws IOException {
        int batches = 0;
        while (batches < most) {
            var line = lines.readLine();
            if (line == null) {
                return batches;
            }
            if (line.startsWith("stored ")) {
                batches++;
                var batch = line.substring("stored ".length());
                acknowledged
                        .computeIfAbsent(Integer.parseInt(batch.split("-", -1)[1]), shard -> new ArrayList<>())
                        .add(batch);
            } else if (line.startsWith("failed ")) {
                throw new AssertionError(line);
            }
        }
        return batches;
    }

    /**
     * The removal of the batch that the next write would have removed may be stored without having been acknowledged.
     */
    private Set<String> lost(int life) {
        var store = InfinispanRememberedEntities.durableAlone(
                directory, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        Await.result(store.start());
        var lost = new HashSet<String>();
        acknowledged.forEach((shard, batches) -> {
            int kept = Math.min(batches.size(), RememberedWriter.KEPT_BATCHES - 1);
            batches.subList(batches.size() - kept, batches.size())
                    .forEach(batch -> lost.addAll(RememberedWriter.ids(batch)));
            lost.removeAll(Await.result(store.open(RememberedWriter.TYPE, shard, RememberedWriter.token(life))));
        });
        Await.result(store.close());
        return lost;
    }
}
