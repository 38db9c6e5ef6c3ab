package io.shardbus.membership;

import io.shardbus.model.NodeId;
import java.util.Optional;
import org.infinispan.AdvancedCache;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.util.NameCache;

/** Addresses at which the members of a JGroups cluster listen. */
final class Places {
    private final AdvancedCache<?, ?> cache;

    /** @param cache any cache of the container, through which the transport is found */
    Places(AdvancedCache<?, ?> cache) {
        this.cache = cache;
    }

    /** The host mark and the address of a member, as one text; empty if one of the two is unknown. */
    Optional<String> of(NodeId member) {
        var mark = NodeNames.hostMark(member);
        return cache.getRpcManager().getTransport() instanceof JGroupsTransport transport && !mark.isEmpty()
                ? address(transport.getChannel(), member).map(address -> mark + "@" + address)
                : Optional.empty();
    }

    private static Optional<String> address(JChannel channel, NodeId member) {
        var view = channel.getView();
        return view == null
                ? Optional.empty()
                : view.getMembers().stream()
                        .filter(address -> member.value().equals(NameCache.get(address)))
                        .map(address -> channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, address)))
                        .filter(found -> found != null)
                        .map(Object::toString)
                        .findFirst();
    }
}
