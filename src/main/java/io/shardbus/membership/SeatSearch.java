package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.options.Peer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the seat of this node when it starts. DNS may publish the name of a new machine after its process has started,
 * and a node that finds no seat at its start holds none until its next start. So names without an address are looked up
 * again, with a second between two lookups, until one of them is this node's, all resolve to other addresses, or {@link
 * #LOOKS} lookups are done. For a machine that came back with another address DNS may still return the former one. So a
 * seat with the name of this host that resolves to other addresses is looked up {@link #LOOKS_ELSEWHERE} times.
 */
final class SeatSearch {
    /** Limit of the lookups of names without an address; Java caches for 10 s that a name has none. */
    static final int LOOKS = 30;

    /** Limit of the lookups of a name with another address; Java caches an address for 30 s, as most DNS servers do. */
    static final int LOOKS_ELSEWHERE = 75;

    private static final long PAUSE_MS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SeatSearch.class);

    /**
     * Result of one lookup.
     *
     * @param unknown the listed names that may be this node's, as they have no address; empty if its seat is found
     * @param elsewhere the listed names that are names of this host and resolve to these other addresses; empty if its
     *     seat is found
     */
    record Found(Seats seats, Set<String> unknown, Map<String, String> elsewhere) {
        private int looks() {
            return !elsewhere.isEmpty() ? LOOKS_ELSEWHERE : unknown.isEmpty() ? 1 : LOOKS;
        }
    }

    private final Vertx vertx;
    private final SeatPlan plan;
    private final OwnPlace own;
    private final Function<Peer, List<InetAddress>> dns;
    private final long pauseMs;

    SeatSearch(Vertx vertx, SeatPlan plan, OwnPlace own) {
        this(vertx, plan, own, OwnPlace::resolve, PAUSE_MS);
    }

    /** @param dns the addresses of a seat, none while its name cannot be resolved; may block */
    SeatSearch(Vertx vertx, SeatPlan plan, OwnPlace own, Function<Peer, List<InetAddress>> dns, long pauseMs) {
        this.vertx = vertx;
        this.plan = plan;
        this.own = own;
        this.dns = dns;
        this.pauseMs = pauseMs;
    }

    /**
     * The seats as the last lookup shows them; this node may hold none. Does not block; fails with an
     * IllegalArgumentException if the options list neither seats nor peers and this node is not on the loopback.
     */
    Future<Seats> find() {
        return look(1);
    }

    private Future<Seats> look(int number) {
        return vertx.executeBlocking(() -> plan.look(own, dns), false).compose(found -> {
            if (number >= found.looks()) {
                warn(found);
                return Future.succeededFuture(found.seats());
            }
            if (number == 1) {
                announce(found);
            }
            return vertx.timer(pauseMs).compose(ended -> look(number + 1));
        });
    }

    private void announce(Found found) {
        long seconds = found.looks() * pauseMs / 1_000;
        if (!found.unknown().isEmpty()) {
            LOG.info(
                    "looking up the seats {} for up to {} s: they have no address yet, and one of them may be this"
                            + " node's, {}; on Kubernetes the headless service needs publishNotReadyAddresses: true",
                    found.unknown(),
                    seconds,
                    own.name());
        }
        if (!found.elsewhere().isEmpty()) {
            LOG.info(
                    "looking up the seats with the name of this host for up to {} s: they lead elsewhere, {}, not"
                            + " to this node, {}; the DNS may return stale addresses",
                    seconds,
                    found.elsewhere(),
                    own.name());
        }
    }

    private void warn(Found found) {
        if (!found.unknown().isEmpty()) {
            LOG.warn(
                    "the seats {} still have no address, and none of the others is this node's, {}: it holds no seat"
                            + " until its next start",
                    found.unknown(),
                    own.name());
        }
        if (!found.elsewhere().isEmpty()) {
            LOG.warn(
                    "the seats with the name of this host lead elsewhere, {}, and none of the others is this node's,"
                            + " {}: it holds no seat until its next start; start it again when the name leads to it, or"
                            + " bind it to that address",
                    found.elsewhere(),
                    own.name());
        }
    }
}
