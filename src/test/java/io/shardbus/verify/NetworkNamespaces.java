package io.shardbus.verify;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Hosts in network namespaces of their own, on one bridge, which this process can reach. Links between them can be cut,
 * in one direction too: the sender is given a hardware address that no host has, so that its packets vanish without a
 * refusal. Needs root and iproute2. Names hold the id of this process: what a dead one left behind is removed by the
 * next.
 */
public final class NetworkNamespaces implements Hosts {
    private static final String NO_HOST = "02:00:00:00:00:01";
    private static final String PREFIX = "sbv";
    private static final int ATTEMPTS = 20;
    private static final Random RANDOM = new Random();

    private final int count;
    private final String name;
    private final String network;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread hook = new Thread(this::remove, "remove-namespaces");

    private NetworkNamespaces(int count, String name, String network) {
        this.count = count;
        this.name = name;
        this.network = network;
    }

    /** Why this machine cannot do it; null when it can. */
    public static @Nullable String unavailable() {
        if (!"0".equals(Commands.attempt("id", "-u").output())) {
            return "network namespaces need root";
        }
        var probe = PREFIX + ProcessHandle.current().pid() + "-" + Integer.toHexString(RANDOM.nextInt(4096)) + "-probe";
        var added = Commands.attempt("ip", "netns", "add", probe);
        if (added.code() != 0) {
            return "no network namespace can be made here: " + added.output();
        }
        Commands.run("ip", "netns", "del", probe);
        return null;
    }

    public static NetworkNamespaces create(int count) {
        sweep();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var network = "10." + (200 + RANDOM.nextInt(55)) + "." + RANDOM.nextInt(256) + ".";
            var name = PREFIX + ProcessHandle.current().pid() + "-" + Integer.toHexString(RANDOM.nextInt(256));
            boolean used = Commands.run("ip", "-4", "-o", "addr").contains(" " + network)
                    || Commands.run("ip", "netns", "list").contains(name + "-");
            if (!used) {
                var namespaces = new NetworkNamespaces(count, name, network);
                namespaces.build();
                return namespaces;
            }
        }
        throw new IllegalStateException("no free network found");
    }

    /** Removes what processes that are gone have left behind, with the nodes that still run in it. */
    private static void sweep() {
        Commands.run("ip", "netns", "list")
                .lines()
                .map(line -> line.replaceFirst(" .*", ""))
                .filter(NetworkNamespaces::isOrphan)
                .forEach(namespace -> {
                    Commands.attempt("ip", "netns", "pids", namespace)
                            .output()
                            .lines()
                            .forEach(pid -> Commands.attempt("kill", "-9", pid));
                    Commands.attempt("ip", "netns", "del", namespace);
                });
        Commands.run("ip", "-o", "link", "show", "type", "bridge")
                .lines()
                .map(line -> line.replaceFirst("^[0-9]+: ([^:@]+).*$", "$1"))
                .filter(NetworkNamespaces::isOrphan)
                .forEach(bridge -> Commands.attempt("ip", "link", "del", bridge));
    }

    private static boolean isOrphan(String name) {
        return name.matches(PREFIX + "[0-9]+-[0-9a-f]+(-.*)?")
                && ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length(), name.indexOf('-'))))
                        .isEmpty();
    }

    private void build() {
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Commands.run("ip", "link", "add", bridge(), "type", "bridge");
            Commands.run("ip", "addr", "add", outside() + "/24", "dev", bridge());
            Commands.run("ip", "link", "set", bridge(), "up");
            IntStream.rangeClosed(1, count).forEach(this::build);
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    private void build(int node) {
        var namespace = namespace(node);
        Commands.run("ip", "netns", "add", namespace);
        Commands.run("ip", "link", "add", link(node), "type", "veth", "peer", "name", "eth0", "netns", namespace);
        Commands.run("ip", "link", "set", link(node), "master", bridge(), "up");
        Commands.run("ip", "-n", namespace, "addr", "add", address(node) + "/24", "dev", "eth0");
        Commands.run("ip", "-n", namespace, "link", "set", "eth0", "up");
        Commands.run("ip", "-n", namespace, "link", "set", "lo", "up");
    }

    private String bridge() {
        return name;
    }

    private String namespace(int node) {
        return name + "-" + node;
    }

    private String link(int node) {
        return name + "-" + node;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public String address(int node) {
        return network + node;
    }

    @Override
    public String outside() {
        return network + "254";
    }

    @Override
    public List<String> prefix(int node) {
        return List.of("ip", "netns", "exec", namespace(node));
    }

    /** What a node sends to another vanishes; the other direction goes on. */
    public void cutOneWay(int from, int to) {
        Commands.run(
                "ip",
                "-n",
                namespace(from),
                "neigh",
                "replace",
                address(to),
                "lladdr",
                NO_HOST,
                "dev",
                "eth0",
                "nud",
                "permanent");
    }

    /** Nothing passes between two nodes. */
    public void cut(int one, int other) {
        cutOneWay(one, other);
        cutOneWay(other, one);
    }

    /** Mends what was cut between two nodes, in both directions. */
    public void mend(int one, int other) {
        // the entry is not there where nothing was cut in that direction, or the kernel has dropped it with its link
        Commands.attempt("ip", "-n", namespace(one), "neigh", "del", address(other), "dev", "eth0");
        Commands.attempt("ip", "-n", namespace(other), "neigh", "del", address(one), "dev", "eth0");
    }

    /** Takes a node off the net, for its clients as well. */
    public void unplug(int node) {
        Commands.run("ip", "link", "set", link(node), "down");
    }

    /** Undoes {@link #unplug}. */
    public void plug(int node) {
        Commands.run("ip", "link", "set", link(node), "up");
    }

    /** Mends all that was cut and unplugged. */
    public void heal() {
        for (int node = 1; node <= count; node++) {
            Commands.run("ip", "link", "set", link(node), "up");
            Commands.run("ip", "-n", namespace(node), "neigh", "flush", "dev", "eth0", "nud", "permanent");
        }
    }

    @Override
    public void close() {
        if (!closed.get()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        remove();
    }

    private void remove() {
        if (closed.compareAndSet(false, true)) {
            for (int node = 1; node <= count; node++) {
                Commands.attempt("ip", "link", "del", link(node));
                Commands.attempt("ip", "netns", "del", namespace(node));
            }
            Commands.attempt("ip", "link", "del", bridge());
        }
    }
}
