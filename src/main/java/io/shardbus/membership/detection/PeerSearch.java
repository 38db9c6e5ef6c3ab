package io.shardbus.membership.detection;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jgroups.Event;
import org.jgroups.PhysicalAddress;
import org.jgroups.annotations.Property;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;

/**
 * TCPPING that does not found a second cluster beside one that is only slow. If no peer answers in time but the port of
 * a peer accepts connections, a paused or overloaded member may be there. It is asked again, a bounded number of times:
 * two clusters of one name, founded apart, would each run all entities until they find each other. Nodes with this and
 * with the stock protocol are compatible.
 */
public final class PeerSearch extends TCPPING {
    private static final int CONNECT_MILLIS = 300;

    /**
     * Number of times that peers whose ports accept connections are asked without an answer before the node founds a
     * cluster.
     */
    @Property(description = "attempts while a peer listens and does not answer, each as long as join_timeout")
    private int attempts = 8;

    public PeerSearch() {
        Overrides.require(PeerSearch.class);
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
    }

    @Override
    public void init() throws Exception {
        super.init();
        ForeignClusters.install(getTransport());
    }

    @Override
    public Object down(Event event) {
        return event.getType() == Event.FIND_INITIAL_MBRS ? search(event) : super.down(event);
    }

    private Responses search(Event event) {
        var search = new Search(() -> round(event), () -> look().listening(), attempts, () -> is_leaving, this::tell);
        return search.run();
    }

    /** Logs one WARN line for a search. */
    private void tell(List<IpAddress> listening, int tried) {
        if (tried > 1) {
            log.debug("%s: asking %s again, %d of %d times", local_addr, listening, tried, attempts - 1);
            return;
        }
        log.warn(
                "%s: %s takes connections but does not answer as a node of cluster '%s'; asking again, up to %d"
                        + " times. If no node of this cluster is there, take it out of the peers; if one is, compare"
                        + " the cluster names: where they differ, a line here or there says that the two do not"
                        + " meet.",
                local_addr, listening, getTransport().getClusterName(), attempts - 1);
    }

    /**
     * Asks in rounds, until one has found a member, no peer listens, or all attempts are used.
     *
     * @param listening probes which peers accept connections, after a round that has not probed
     * @param leaving whether this node is leaving
     * @param tell takes the peers that listen and do not answer, and the number of the attempt, before the next attempt
     */
    record Search(
            Supplier<Round.Result> round,
            Supplier<List<IpAddress>> listening,
            int attempts,
            BooleanSupplier leaving,
            ObjIntConsumer<List<IpAddress>> tell) {
        Responses run() {
            var result = round.get();
            for (int tried = 1; result.found().isEmpty() && tried < attempts && !leaving.getAsBoolean(); tried++) {
                var there = result.seen().map(PeerPorts.Look::listening).orElseGet(listening);
                if (there.isEmpty()) {
                    return result.found().done();
                }
                tell.accept(there, tried);
                result = round.get();
            }
            return result.found();
        }
    }

    private Round.Result round(Event event) {
        var peers = others();
        return new Round(() -> (Responses) super.down(event), this::look, () -> KernelPorts.areIdle(peers), peers)
                .run(event.<Long>getArg());
    }

    private PeerPorts.Look look() {
        return PeerPorts.look(others(), CONNECT_MILLIS);
    }

    /**
     * Asks all peers, and waits until a coordinator answers, every peer has answered or refuses connections, or the
     * time is over. Nodes that start at the same moment find each other, as a node that listens later asks later. A
     * probe of a port causes a WARN in the log of JGroups there. So there are two at most, and none in the time in
     * which peers usually answer, unless the kernel shows no process that could answer or log.
     *
     * @param ask sends a request to all peers; its answers are added to the result
     * @param idle whether no peer seems to listen; a probe then checks that
     * @param peers all peers that are asked
     */
    record Round(
            Supplier<Responses> ask, Supplier<PeerPorts.Look> look, BooleanSupplier idle, Collection<IpAddress> peers) {
        private static final long FIRST_LOOK_MILLIS = 300;
        /** Pause before the second probe; longer than a node takes from listening to asking. */
        private static final long NEXT_LOOK_MILLIS = 100;

        private static final long POLL_MILLIS = 10;

        /** @param seen the result of the last probe; empty if there was none */
        record Result(Responses found, Optional<PeerPorts.Look> seen) {}

        Result run(long millis) {
            var found = ask.get();
            var alone = millis > FIRST_LOOK_MILLIS && idle.getAsBoolean()
                    ? Optional.of(look.get()).filter(Round::isNone)
                    : Optional.<PeerPorts.Look>empty();
            if (alone.isEmpty() && found.waitFor(Math.min(FIRST_LOOK_MILLIS, millis)) || millis <= FIRST_LOOK_MILLIS) {
                return new Result(found, Optional.empty());
            }
            var seen = alone.orElseGet(look);
            long left = millis - FIRST_LOOK_MILLIS;
            if (isNone(seen)) {
                if (found.waitFor(Math.min(NEXT_LOOK_MILLIS, left))) {
                    return new Result(found, Optional.empty());
                }
                left -= Math.min(NEXT_LOOK_MILLIS, left);
                seen = look.get();
            }
            return new Result(answers(seen, found, left), Optional.of(seen));
        }

        private Responses answers(PeerPorts.Look seen, Responses found, long millis) {
            if (isNone(seen)) {
                return found.done();
            }
            return seen.silent() > 0 ? awaited(found, millis) : answersOf(seen.listening(), found, millis);
        }

        private static boolean isNone(PeerPorts.Look seen) {
            return seen.silent() == 0 && seen.listening().isEmpty();
        }

        private static Responses awaited(Responses found, long millis) {
            found.waitFor(millis);
            return found;
        }

        /** Asks again if too few have answered: peers that listen now may not have listened when they were asked. */
        private Responses answersOf(List<IpAddress> listening, Responses before, long millis) {
            var found = isAnswered(listening, before) ? before : ask.get();
            for (long waited = 0; waited < millis && !isAnswered(listening, found); waited += POLL_MILLIS) {
                if (found.waitFor(POLL_MILLIS)) {
                    return found;
                }
            }
            return isAnswered(listening, found) ? found.done() : found;
        }

        /**
         * Whether as many have answered as listen. The answer of a peer that was not listening does not count for one
         * that listens and is silent. A node that answers from an address that is no peer's counts, as it may be a peer
         * behind another address.
         */
        private boolean isAnswered(List<IpAddress> listening, Responses found) {
            int answered = 0;
            for (var answer : found) {
                var from = answer.getPhysicalAddr();
                answered += listening.contains(from) || !peers.contains(from) ? 1 : 0;
            }
            return answered >= listening.size();
        }
    }

    private List<IpAddress> others() {
        var own = (PhysicalAddress) down(new Event(Event.GET_PHYSICAL_ADDRESS, local_addr));
        Collection<PhysicalAddress> hosts = getInitialHosts();
        return hosts.stream()
                .filter(host -> !Objects.equals(host, own))
                .filter(IpAddress.class::isInstance)
                .map(IpAddress.class::cast)
                .toList();
    }
}
