package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/**
 * Mistakes about a region that begins in the place of another one on its node; runs without such a region do not
 * notice.
 */
final class RestartBugs {
    private static final String REGION = "region/Region.java";
    private static final String REGISTRATIONS = "coordinator/Registrations.java";
    private static final String IN = "routing/InChannel.java";
    private static final String CHANNELS = "routing/Channels.java";

    private RestartBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a region begins with the attempts of the one before", "11", Family.LATE_WORDS, 3, 2)
                    .in(REGION, "this.attempt = firstAttempt;", "this.attempt = 1;"),
            SeededBug.of("a region is taken for the one that was leaving", "11", Family.LATE_WORDS, 2, 10)
                    .in(
                            REGISTRATIONS,
                            "before.leaving && ToCoordinator.areOfOneRegion(before.attempt, session.attempt)",
                            "before.leaving"),
            SeededBug.of("epochs do not say when their lane began", "26", Family.LATE_WORDS, 1, 39)
                    .in(CHANNELS, "(now << InChannel.EPOCH_BITS) + 1", "(1L << InChannel.EPOCH_BITS) + 1"),
            SeededBug.of("a lane in a peer's place is not noticed", "26", Family.COORDINATOR_CHANGES, 8, 8)
                    .in(
                            IN,
                            "boolean another = peerLife >= 0 && life > peerLife;",
                            "boolean another = peerLife >= 0 && life > peerLife && life < 0;"),
            SeededBug.uncaught("messages go to a lane that was never heard", "26", Family.LATE_WORDS)
                    .in(IN, "return peerLife >= 0;", "return true;"));
}
