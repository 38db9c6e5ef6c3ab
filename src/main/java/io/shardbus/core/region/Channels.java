package io.shardbus.core.region;

import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.PeerLane;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The channels of one lane to the lanes of other nodes, and which of them may have something to send. */
final class Channels {
    private final Function<PeerLane, Channel> opener;
    private final Map<PeerLane, Channel> byPeer = new LinkedHashMap<>();
    /** Each once: a channel knows whether it is in here. */
    private final List<Channel> marked = new ArrayList<>();

    private @Nullable Channel last;

    Channels(Function<PeerLane, Channel> opener) {
        this.opener = opener;
    }

    Channel to(PeerLane peer) {
        Channel found = last;
        if (found == null || !found.peer.equals(peer)) {
            found = byPeer.computeIfAbsent(peer, opener);
            last = found;
        }
        return found;
    }

    /** The channel that a route uses; found once. */
    Channel of(Route route, PeerLane peer) {
        Channel known = route.channel();
        if (known != null) {
            return known;
        }
        Channel found = to(peer);
        route.channel(found);
        return found;
    }

    @Nullable
    Channel find(PeerLane peer) {
        return byPeer.get(peer);
    }

    List<Channel> all() {
        return List.copyOf(byPeer.values());
    }

    boolean areQuiet() {
        return byPeer.values().stream().noneMatch(Channel::isBusy);
    }

    void add(Channel channel, FrameItem item) {
        channel.add(item);
        mark(channel);
    }

    /** The channel may have something to send. */
    void mark(Channel channel) {
        if (!channel.marked) {
            channel.marked = true;
            marked.add(channel);
        }
    }

    boolean hasMarked() {
        return !marked.isEmpty();
    }

    /** Those that may have something to send; they are no longer marked. */
    List<Channel> takeMarked() {
        List<Channel> taken = List.copyOf(marked);
        marked.clear();
        for (Channel channel : taken) {
            channel.marked = false;
        }
        return taken;
    }
}
