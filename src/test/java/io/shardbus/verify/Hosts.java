package io.shardbus.verify;

import java.util.List;
import java.util.stream.IntStream;

/** The addresses of nodes 1 to N of a cluster on this machine. */
public interface Hosts extends AutoCloseable {
    int count();

    String address(int node);

    /** The address at which all nodes reach what runs beside them; no cut between nodes reaches it. */
    String outside();

    /** What comes before a command so that it runs at this address. */
    List<String> prefix(int node);

    /** Takes away what was made for them; the processes there must have ended. */
    @Override
    void close();

    default List<String> addresses() {
        return IntStream.rangeClosed(1, count()).mapToObj(this::address).toList();
    }

    /** Addresses that need no rights; nothing can be cut between them. */
    static Hosts loopback(int count) {
        var addresses = LoopbackHosts.of(count);
        return new Hosts() {
            @Override
            public int count() {
                return count;
            }

            @Override
            public String address(int node) {
                return addresses.get(node - 1);
            }

            @Override
            public String outside() {
                return "127.0.0.1";
            }

            @Override
            public List<String> prefix(int node) {
                return List.of();
            }

            @Override
            public void close() {
                // nothing was made
            }
        };
    }
}
