package io.shardbus.integration;

import io.shardbus.testkit.ClusterTestKit;
import java.util.List;
import java.util.stream.Stream;

/** Free ports on the loopback, below those that the system gives to clients, never the same twice in one JVM. */
public final class Ports {
    private Ports() {}

    public static List<Integer> free(int count) {
        return Stream.generate(ClusterTestKit::freePort).limit(count).toList();
    }
}
