package io.shardbus.core.routing;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The channels of one lane to the lanes of other nodes, and which of them may have something to send.
 *
 * <p>A node that has left may come back as itself, after a merge, and go on with the numbers of before: its channels
 * are kept. Once at rest they are put aside, where no tick visits them, and taken out again unchanged when a frame
 * comes or goes, or the node is back. They are forgotten, with the node, when {@value #MOST_DEPARTED} others have left
 * after it.
 */
final class Channels {
    /** More than the members that may be cut off from each other, and still live, at one time. */
    static final int MOST_DEPARTED = 512;

    private final BiFunction<PeerLane, Long, Channel> opener;
    private final Map<PeerLane, Channel> byPeer = new LinkedHashMap<>();
    /** Nodes that have left the cluster, in that order, and their channels that are at rest. */
    private final Map<NodeId, List<Channel>> departed = new LinkedHashMap<>();
    /** Channels that may have something to send, each once: a channel knows whether it is in this list. */
    private final List<Channel> marked = new ArrayList<>();

    private long nextEpoch;
    /** Repeats of forgotten channels. */
    private long forgottenRepeats;

    /** Full windows of forgotten channels. */
    private long forgottenWindows;

    private @Nullable Channel last;

    /**
     * @param now when the lane begins, by its node's one clock: a region that has left and is started again has greater
     *     epochs than before
     * @param opener makes a channel with its first epoch
     */
    Channels(long now, BiFunction<PeerLane, Long, Channel> opener) {
        this.nextEpoch = (now << InChannel.EPOCH_BITS) + 1;
        this.opener = opener;
    }

    Channel to(PeerLane peer) {
        Channel found = last;
        if (found == null || !found.peer.equals(peer)) {
            found = byPeer.computeIfAbsent(peer, this::open);
            last = found;
        }
        return found;
    }

    private Channel open(PeerLane peer) {
        List<Channel> resting = departed.getOrDefault(peer.node(), List.of());
        for (Channel channel : resting) {
            if (channel.peer.equals(peer)) {
                resting.remove(channel);
                return channel;
            }
        }
        return opener.apply(peer, nextEpoch);
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

    /** The channel to a peer if it is not at rest for good. */
    @Nullable
    Channel find(PeerLane peer) {
        return byPeer.get(peer);
    }

    List<Channel> all() {
        return List.copyOf(byPeer.values());
    }

    List<Channel> to(NodeId node) {
        return byPeer.values().stream()
                .filter(channel -> channel.peer.node().equals(node))
                .toList();
    }

    /** Frames that were sent again, to all lanes there ever were. */
    long repeated() {
        return forgottenRepeats + sum(Channel::repeated);
    }

    /** Number of times that items had to wait as the window of a channel was full. */
    long windowFull() {
        return forgottenWindows + sum(Channel::windowFull);
    }

    private long sum(ToLongFunction<Channel> count) {
        return Stream.concat(
                        byPeer.values().stream(), departed.values().stream().flatMap(List::stream))
                .mapToLong(count)
                .sum();
    }

    /** Number of nodes that have left and are remembered. */
    int remembered() {
        return departed.size();
    }

    boolean hasLeft(NodeId node) {
        return departed.containsKey(node);
    }

    /**
     * The node has left the cluster; the coordinator may not know that yet.
     *
     * @return the channels of a node that left so long ago that it is forgotten now; they are no longer in here
     */
    List<Channel> nodeGone(NodeId node) {
        departed.putIfAbsent(node, new ArrayList<>(1));
        return departed.size() > MOST_DEPARTED
                ? forget(departed.keySet().iterator().next())
                : List.of();
    }

    /** The node is not expected back. If it does come back, this node's numbers begin anew. */
    private List<Channel> forget(NodeId node) {
        List<Channel> forgotten = nodeBack(node);
        for (Channel channel : forgotten) {
            nextEpoch = Math.max(nextEpoch, channel.epoch() + 1);
            forgottenRepeats += channel.repeated();
            forgottenWindows += channel.windowFull();
            byPeer.remove(channel.peer);
            last = null;
        }
        return forgotten;
    }

    /** The node is a member again. */
    List<Channel> nodeBack(NodeId node) {
        List<Channel> resting = departed.remove(node);
        if (resting != null) {
            resting.forEach(channel -> byPeer.put(channel.peer, channel));
        }
        return to(node);
    }

    /** Puts channels to nodes that have left aside once nothing is to be done for them. */
    void rest(long now) {
        if (departed.isEmpty()) {
            return;
        }
        for (Iterator<Channel> all = byPeer.values().iterator(); all.hasNext(); ) {
            Channel channel = all.next();
            List<Channel> resting = departed.get(channel.peer.node());
            if (resting != null && channel.isAtRest(now)) {
                all.remove();
                channel.shrink();
                resting.add(channel);
                last = null;
            }
        }
    }

    boolean comeToRest(long now) {
        return all().stream().filter(channel -> !channel.comesToRest(now)).count() == 0;
    }

    void add(Channel channel, FrameItem item) {
        channel.add(item);
        mark(channel);
    }

    /** Takes messages out again that were not sent yet; so many that the channel may not be full any more. */
    List<Envelope> takeUnsent(Channel channel, Predicate<Envelope> which) {
        mark(channel);
        return channel.takeUnsent(which);
    }

    /** The channel may have something to send, or be full, or be so no longer. */
    void mark(Channel channel) {
        if (!channel.marked) {
            channel.marked = true;
            marked.add(channel);
        }
    }

    /**
     * Sends what the marked channels have; true when one has become full, or is so no longer.
     *
     * @param faults hears of a channel that could not be flushed; it stays marked, and the others go on
     */
    boolean flush(long now, int most, Consumer<PeerLane> begins, Consumer<Throwable> faults) {
        if (marked.isEmpty()) {
            return false;
        }
        boolean changed = false;
        List<Channel> taken = takeMarked();
        int flushed = 0;
        try {
            for (Channel channel : taken) {
                begins.accept(channel.peer);
                flush(channel, now, faults);
                changed |= channel.fullChanged(most);
                flushed++;
            }
        } finally {
            for (int i = flushed; i < taken.size(); i++) {
                mark(taken.get(i));
            }
        }
        return changed;
    }

    private void flush(Channel channel, long now, Consumer<Throwable> faults) {
        try {
            channel.flush(now);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            mark(channel);
            faults.accept(e);
        }
        if (channel.hasWork()) {
            mark(channel);
        }
    }

    /** The channels that may have something to send; they are no longer marked. */
    private List<Channel> takeMarked() {
        List<Channel> taken = List.copyOf(marked);
        marked.clear();
        for (Channel channel : taken) {
            channel.marked = false;
        }
        return taken;
    }
}
