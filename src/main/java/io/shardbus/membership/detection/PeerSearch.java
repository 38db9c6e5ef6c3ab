package io.shardbus.membership.detection;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jgroups.Event;
import org.jgroups.PhysicalAddress;
import org.jgroups.annotations.Property;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;

/**
 * TCPPING that does not found a cluster beside one that is only slow. Where no peer answers in time but the port of a
 * peer takes connections, somebody lives there: a paused or overloaded member. It is asked again, a bounded number of
 * times. Two clusters of one name, founded apart, would each run all entities until they find each other. Nodes with
 * this and nodes with the stock protocol understand each other.
 */
public final class PeerSearch extends TCPPING {
    private static final int CONNECT_MILLIS = 300;
    /** Longer than a node takes from listening to asking. */
    private static final long LOOK_EVERY_MILLIS = 100;

    private static final int UNKNOWN = -1;

    /** How often peers whose ports take connections are asked in vain before a cluster is founded. */
    @Property(description = "attempts while a peer listens and does not answer, each as long as join_timeout")
    private int attempts = 8;

    public PeerSearch() {
        Overrides.require(PeerSearch.class);
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
    }

    @Override
    public Object down(Event event) {
        return event.getType() == Event.FIND_INITIAL_MBRS ? search(event) : super.down(event);
    }

    private Responses search(Event event) {
        var found = round(event);
        for (int tried = 1; found.isEmpty() && tried < attempts && !is_leaving; tried++) {
            var listening = PeerPorts.listening(others(), CONNECT_MILLIS);
            if (listening.isEmpty()) {
                return found.done();
            }
            log.warn(
                    "%s: %s takes connections but does not answer; asking again, %d of %d times. If no node of this cluster is"
                            + " there, take it out of the peers.",
                    local_addr, listening, tried, attempts - 1);
            found = round(event);
        }
        return found;
    }

    /**
     * Asks all peers, and waits until a coordinator answers, until every peer has answered or refused connections, or
     * for as long as the event says. Nodes that start at the same moment hear of each other: one that listens later
     * asks later.
     */
    private Responses round(Event event) {
        long millis = event.getArg();
        var found = (Responses) super.down(event);
        var known = new AllKnown();
        for (long waited = 0; waited < millis; waited += LOOK_EVERY_MILLIS) {
            if (found.waitFor(Math.min(LOOK_EVERY_MILLIS, millis - waited))) {
                return found;
            }
            var look = PeerPorts.look(others(), CONNECT_MILLIS);
            if (look.silent() > 0) {
                // looking takes its time, too
                found.waitFor(millis - waited);
                return found;
            }
            if (known.after(look, found.size())) {
                return found.done();
            }
        }
        return found;
    }

    /** Whether two looks in a row have shown that no peer is left whose answer is awaited. */
    static final class AllKnown {
        private int before = UNKNOWN;

        /** @param answers how many peers have answered so far */
        boolean after(PeerPorts.Look look, int answers) {
            boolean all = look.silent() == 0 && answers >= look.listening().size();
            boolean again = all && before == answers;
            before = all ? answers : UNKNOWN;
            return again;
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
