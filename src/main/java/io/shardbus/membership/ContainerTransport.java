package io.shardbus.membership;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.Event;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;

/** The JGroups transport of a running Infinispan container. */
final class ContainerTransport {
    private final EmbeddedCacheManager container;
    private final String cache;

    /** @param cache name of a clustered cache, through which the transport is found */
    ContainerTransport(EmbeddedCacheManager container, String cache) {
        this.container = container;
        this.cache = cache;
    }

    /**
     * The protocol stack; empty for another transport. The stock manager asks the container for its transport, which
     * Infinispan 15 refuses; a cache gives it in all versions.
     */
    Optional<ProtocolStack> stack() {
        var any = container.getCache(cache).getAdvancedCache();
        return any.getRpcManager().getTransport() instanceof JGroupsTransport transport
                ? Optional.of(transport.getChannel().getProtocolStack())
                : Optional.empty();
    }

    /** The host in a field of the transport; null if the field has no address. */
    @Nullable
    String address(String field) {
        return stack().<Object>map(stack -> stack.getBottomProtocol().getValue(field))
                .map(value -> value instanceof InetAddress address ? address.getHostAddress() : null)
                .orElse(null);
    }

    /** The bound address of the cluster's traffic. */
    InetSocketAddress boundTo() {
        var any = container.getCache(cache).getAdvancedCache();
        var channel = ((JGroupsTransport) any.getRpcManager().getTransport()).getChannel();
        var place = (IpAddress) channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, channel.getAddress()));
        return new InetSocketAddress(place.getIpAddress(), place.getPort());
    }
}
