package io.shardbus.verify;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What can happen to a node of a cluster on this machine. Each fault ends by itself, with all nodes running. */
public enum Fault {
    /** kill -9; the node starts again when its counters have answered elsewhere. */
    KILL(false),
    /** SIGTERM; the node starts again when it has left. */
    TERM(false),
    /** No time for the process for 2 s: shorter than the detection of failures. */
    STOP2(false),
    STOP10(false),
    STOP60(false),
    /** Nothing passes between the node and the others for 15 s; clients reach all. */
    CUT(true),
    /** What the node sends to the others vanishes for 15 s. */
    MUTE(true),
    /** What the others send to the node vanishes for 15 s. */
    DEAF(true),
    /** What the node sends to one other node vanishes for 15 s. */
    LINK(true),
    /** The node is off the net for 1 s, ten times, with 1 s in between. */
    FLAP(true);

    private static final Duration CUT_TIME = Duration.ofSeconds(15);
    private static final Duration FLAP_TIME = Duration.ofSeconds(1);
    private static final int FLAPS = 10;

    private final boolean needsNet;

    Fault(boolean needsNet) {
        this.needsNet = needsNet;
    }

    /** What a fault asks the clients. */
    interface Clients {
        /** Whether all counters have answered requests that were sent through other nodes since a moment. */
        boolean allAnswerWithout(int node, long since);
    }

    /** Whether it needs hosts whose links can be cut. */
    public boolean needsNet() {
        return needsNet;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException when one of the names is that of no fault */
    public static List<Fault> parse(String names) {
        return Arrays.stream(names.split(",")).map(Fault::named).toList();
    }

    private static Fault named(String name) {
        return Arrays.stream(values())
                .filter(fault -> fault.text().equals(name.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no fault; there are "
                        + Arrays.stream(values()).map(Fault::text).collect(Collectors.joining(", "))));
    }

    /**
     * Lets it happen, until it is over.
     *
     * @param clients what the clients have seen
     */
    void happenTo(int target, LocalCluster cluster, Clients clients) {
        switch (this) {
            case KILL -> kill(target, cluster, clients);
            case TERM -> terminate(target, cluster);
            case STOP2 -> freeze(target, cluster, Duration.ofSeconds(2));
            case STOP10 -> freeze(target, cluster, Duration.ofSeconds(10));
            case STOP60 -> freeze(target, cluster, Duration.ofSeconds(60));
            case FLAP -> flap(target, cluster);
            case CUT, MUTE, DEAF, LINK -> cut(target, cluster);
        }
    }

    private static void kill(int target, LocalCluster cluster, Clients clients) {
        cluster.node(target).kill();
        cluster.node(target).awaitExit();
        long dead = System.nanoTime();
        Waiting.comesTrue(Duration.ofSeconds(30), () -> clients.allAnswerWithout(target, dead));
        cluster.restart(target);
    }

    private static void terminate(int target, LocalCluster cluster) {
        cluster.node(target).terminate();
        int code = cluster.node(target).awaitExit();
        if (code != 0) {
            throw new IllegalStateException(cluster.node(target) + " ended with " + code + " after SIGTERM");
        }
        cluster.restart(target);
    }

    private static void freeze(int target, LocalCluster cluster, Duration time) {
        cluster.node(target).freeze();
        try {
            Waiting.pass(time);
        } finally {
            cluster.node(target).thaw();
        }
    }

    private void cut(int target, LocalCluster cluster) {
        var net = net(cluster);
        try {
            for (int other : others(target, cluster)) {
                switch (this) {
                    case MUTE, LINK -> net.cutOneWay(target, other);
                    case DEAF -> net.cutOneWay(other, target);
                    default -> net.cut(target, other);
                }
            }
            Waiting.pass(CUT_TIME);
        } finally {
            net.heal();
        }
    }

    private Set<Integer> others(int target, LocalCluster cluster) {
        return cluster.numbers().stream()
                .filter(number -> number != target)
                .limit(this == LINK ? 1 : cluster.size())
                .collect(Collectors.toSet());
    }

    private void flap(int target, LocalCluster cluster) {
        var net = net(cluster);
        try {
            for (int i = 0; i < FLAPS; i++) {
                net.unplug(target);
                Waiting.pass(FLAP_TIME);
                net.heal();
                Waiting.pass(FLAP_TIME);
            }
        } finally {
            net.heal();
        }
    }

    private NetworkNamespaces net(LocalCluster cluster) {
        var net = cluster.net();
        if (net == null) {
            throw new IllegalStateException(text() + " needs network namespaces");
        }
        return net;
    }
}
