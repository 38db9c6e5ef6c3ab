package io.shardbus.verify;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Addresses of this host that another test run is not likely to use. */
public final class LoopbackHosts {
    private LoopbackHosts() {}

    public static List<String> of(int count) {
        var random = ThreadLocalRandom.current();
        var network = "127." + random.nextInt(1, 250) + "." + random.nextInt(1, 250) + ".";
        return IntStream.rangeClosed(1, count).mapToObj(n -> network + n).toList();
    }
}
