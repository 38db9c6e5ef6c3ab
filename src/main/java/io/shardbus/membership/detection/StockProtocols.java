package io.shardbus.membership.detection;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;

/**
 * Finds the protocols of a running stack for which this package has a replacement, and a bundler that should be
 * replaced: a stack of the user's own may be older than the replacements.
 */
public final class StockProtocols {
    private static final Map<Class<? extends Protocol>, Class<? extends Protocol>> MENDED = Map.of(
            TCPPING.class, PeerSearch.class,
            FD_SOCK2.class, SocketWatch.class,
            FD_ALL3.class, HeartbeatWatch.class,
            VERIFY_SUSPECT2.class, SuspectCheck.class,
            UFC.class, UnicastCredits.class,
            MFC.class, MulticastCredits.class);

    private StockProtocols() {}

    /** The replacements for stock protocols in a stack, as texts, in its order. */
    public static List<String> in(Collection<Protocol> stack) {
        return stack.stream()
                .flatMap(protocol -> Optional.ofNullable(MENDED.get(protocol.getClass()))
                        .map(mended ->
                                mended.getName() + " for " + protocol.getClass().getSimpleName())
                        .stream())
                .toList();
    }

    /**
     * Whether the bundler is the one that JGroups 5.5 uses if the stack names none. After a member has left for which
     * this bundler had messages, it may loop over them for ever and occupy a whole processor; on a virtual thread it
     * may leave no processor to other threads of JGroups.
     */
    public static boolean mayBusyLoop(Collection<Protocol> stack) {
        return stack.stream()
                .anyMatch(protocol ->
                        protocol instanceof TP transport && transport.getBundler() instanceof PerDestinationBundler);
    }
}
