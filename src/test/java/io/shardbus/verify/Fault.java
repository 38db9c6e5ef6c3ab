package io.shardbus.verify;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to a node of a cluster on this machine. Each fault ends by itself, with all nodes running.
 *
 * @param size how many seconds it lasts, or how often it happens; 0 where there is no choice
 * @param beside what happens to another node at the same time
 */
public record Fault(Kind kind, int size, @Nullable Fault beside) {
    public static final Fault KILL = one(Kind.KILL, 0);
    public static final Fault TERM = one(Kind.TERM, 0);
    public static final Fault STOP2 = one(Kind.STOP, 2);
    public static final Fault STOP10 = one(Kind.STOP, 10);
    public static final Fault CUT = one(Kind.CUT, 15);
    public static final Fault MUTE = one(Kind.MUTE, 15);
    public static final Fault DEAF = one(Kind.DEAF, 15);
    public static final Fault LINK = one(Kind.LINK, 15);
    public static final Fault FLAP = one(Kind.FLAP, 10);

    /** Longer than a lease: the shards have new homes when the node goes on with what it had begun. */
    public static final Fault STOP12 = one(Kind.STOP, 12);

    public static final Fault KILLALL = one(Kind.KILLALL, 0);
    public static final Fault SERVER = one(Kind.SERVER, 0);

    private static final Duration FLAP_TIME = Duration.ofSeconds(1);
    private static final Pattern NAME = Pattern.compile("([a-z]+)([1-9][0-9]{0,2})?");

    /** A fault without its measure. */
    public enum Kind {
        /** kill -9; the node starts again when its counters have answered elsewhere. */
        KILL(0, false),
        /** SIGTERM; the node starts again when it has left. */
        TERM(0, false),
        /** No time for the process for so many seconds. */
        STOP(10, false),
        /** Nothing passes between the node and the others for so many seconds; clients reach all. */
        CUT(15, true),
        /** What the node sends to the others vanishes for so many seconds. */
        MUTE(15, true),
        /** What the others send to the node vanishes for so many seconds. */
        DEAF(15, true),
        /** What the node sends to one other node vanishes for so many seconds. */
        LINK(15, true),
        /** The node is off the net for 1 s, so many times, with 1 s in between. */
        FLAP(10, true),
        /** SIGTERM; the node starts again, and for so many seconds nothing passes between it and the others. */
        APART(25, true),
        /** kill -9 of all nodes; all start again. */
        KILLALL(0, false),
        /** The server of the nodes' store stops as at a power cut, and starts again. */
        SERVER(0, false);

        private final int usual;
        private final boolean needsNet;

        Kind(int usual, boolean needsNet) {
            this.usual = usual;
            this.needsNet = needsNet;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a fault asks the clients. */
    interface Clients {
        /** Whether all counters have answered requests that were sent through other nodes since a moment. */
        boolean allAnswerWithout(int node, long since);
    }

    private static Fault one(Kind kind, int size) {
        return new Fault(kind, size, null);
    }

    /** One of each kind; freezes that are shorter and longer than the detection of failures. */
    public static List<Fault> usual() {
        return List.of(KILL, TERM, STOP2, STOP10, CUT, MUTE, DEAF, LINK, FLAP);
    }

    /** One of each kind that may hurt a store: with a freeze beyond the lease, and a cut that leaves the store. */
    public static List<Fault> ofStores() {
        return List.of(KILL, TERM, STOP2, STOP12, CUT, KILLALL);
    }

    /** Whether it, or a fault beside it, is of a kind. */
    public boolean is(Kind sought) {
        return kind == sought || (beside != null && beside.is(sought));
    }

    /** Whether it needs hosts whose links can be cut. */
    public boolean needsNet() {
        return kind.needsNet || (beside != null && beside.needsNet());
    }

    /** How many nodes it happens to. */
    public int nodes() {
        return beside == null ? 1 : 2;
    }

    public String text() {
        boolean plain = size == 0 || (size == kind.usual && kind != Kind.STOP);
        String own = kind.text() + (plain ? "" : size);
        return beside == null ? own : own + "+" + beside.text();
    }

    /** @throws IllegalArgumentException when one of the names, with commas between them, is that of no fault */
    public static List<Fault> parse(String names) {
        return Arrays.stream(names.split(",")).map(Fault::of).toList();
    }

    /**
     * A fault by its name: {@code kill}, {@code stop35}, {@code cut+stop10} for two nodes at once.
     *
     * @throws IllegalArgumentException when that is the name of no fault
     */
    public static Fault of(String name) {
        String[] parts = name.strip().split("\\+", -1);
        if (parts.length > 2) {
            throw new IllegalArgumentException("'" + name + "' is more than two faults at once");
        }
        var first = simple(parts[0]);
        return parts.length == 1 ? first : new Fault(first.kind, first.size, simple(parts[1]));
    }

    private static Fault simple(String name) {
        var matcher = NAME.matcher(name);
        if (matcher.matches()) {
            for (Kind kind : Kind.values()) {
                boolean sized = matcher.group(2) != null;
                if (kind.text().equals(matcher.group(1)) && (!sized || kind.usual > 0)) {
                    return one(kind, sized ? Integer.parseInt(matcher.group(2)) : kind.usual);
                }
            }
        }
        throw new IllegalArgumentException("'" + name + "' is no fault; there are "
                + Arrays.stream(Kind.values())
                        .map(kind -> kind.text() + (kind.usual > 0 ? "[N]" : ""))
                        .collect(Collectors.joining(", "))
                + ", and two at once with a + in between");
    }

    /**
     * Lets it happen, until it is over.
     *
     * @param clients what the clients have seen
     */
    void happenTo(int target, LocalCluster cluster, Clients clients) {
        var second = beside;
        if (second == null) {
            alone(target, cluster, clients);
            return;
        }
        int other = cluster.numbers().stream()
                .filter(number -> number != target)
                .findFirst()
                .orElseThrow();
        var first = Waiting.beside(() -> alone(target, cluster, clients));
        second.alone(other, cluster, clients);
        first.join();
    }

    private void alone(int target, LocalCluster cluster, Clients clients) {
        switch (kind) {
            case KILL -> kill(target, cluster, clients);
            case TERM -> terminate(target, cluster);
            case STOP -> freeze(target, cluster);
            case FLAP -> flap(target, cluster);
            case APART -> startApart(target, cluster);
            case CUT, MUTE, DEAF, LINK -> cut(target, cluster);
            case KILLALL -> killAll(cluster);
            case SERVER -> cluster.restartServer();
        }
    }

    private static void kill(int target, LocalCluster cluster, Clients clients) {
        cluster.node(target).kill();
        cluster.node(target).awaitExit();
        long dead = System.nanoTime();
        Waiting.comesTrue(Duration.ofSeconds(30), () -> clients.allAnswerWithout(target, dead));
        cluster.restart(target);
    }

    private static void killAll(LocalCluster cluster) {
        cluster.numbers().forEach(number -> cluster.node(number).kill());
        cluster.numbers().forEach(number -> cluster.node(number).awaitExit());
        cluster.numbers().forEach(cluster::begin);
        cluster.numbers().forEach(cluster::awaitReady);
    }

    private static void terminate(int target, LocalCluster cluster) {
        cluster.node(target).terminate();
        int code = cluster.node(target).awaitExit();
        if (code != 0) {
            throw new IllegalStateException(cluster.node(target) + " ended with " + code + " after SIGTERM");
        }
        cluster.restart(target);
    }

    private void freeze(int target, LocalCluster cluster) {
        cluster.node(target).freeze();
        try {
            Waiting.pass(Duration.ofSeconds(size));
        } finally {
            cluster.node(target).thaw();
        }
    }

    private void startApart(int target, LocalCluster cluster) {
        cluster.node(target).terminate();
        cluster.node(target).awaitExit();
        var net = net(cluster);
        var others = others(target, cluster);
        others.forEach(other -> net.cut(target, other));
        try {
            // it may not be ready before it meets the others
            cluster.begin(target);
            Waiting.pass(Duration.ofSeconds(size));
        } finally {
            others.forEach(other -> net.mend(target, other));
        }
        cluster.awaitReady(target);
    }

    private void cut(int target, LocalCluster cluster) {
        var net = net(cluster);
        var others = others(target, cluster);
        try {
            for (int other : others) {
                switch (kind) {
                    case MUTE, LINK -> net.cutOneWay(target, other);
                    case DEAF -> net.cutOneWay(other, target);
                    default -> net.cut(target, other);
                }
            }
            Waiting.pass(Duration.ofSeconds(size));
        } finally {
            others.forEach(other -> net.mend(target, other));
        }
    }

    private List<Integer> others(int target, LocalCluster cluster) {
        return cluster.numbers().stream()
                .filter(number -> number != target)
                .limit(kind == Kind.LINK ? 1 : cluster.size())
                .toList();
    }

    private void flap(int target, LocalCluster cluster) {
        var net = net(cluster);
        try {
            for (int i = 0; i < size; i++) {
                net.unplug(target);
                Waiting.pass(FLAP_TIME);
                net.plug(target);
                Waiting.pass(FLAP_TIME);
            }
        } finally {
            net.plug(target);
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
