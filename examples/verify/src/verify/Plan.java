package verify;

import io.shardbus.verify.Fault;
import io.shardbus.verify.LocalCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** Which fault happens in which run, and to which node. */
record Plan(int seed, List<Fault> faults) {
    /** Each fault once in a random order, then again in another one. */
    Fault fault(int run) {
        var order = new ArrayList<>(faults);
        int round = (run - 1) / faults.size();
        Collections.shuffle(order, new Random(new SplittableRandom(31L * seed + round).nextLong()));
        return order.get((run - 1) % faults.size());
    }

    /** Half of the times the coordinator, or any node. */
    int target(int run, LocalCluster cluster) {
        var random = new SplittableRandom(31L * seed + run);
        int coordinator = cluster.coordinator();
        return random.nextBoolean() && coordinator != 0 ? coordinator : 1 + random.nextInt(cluster.size());
    }
}
