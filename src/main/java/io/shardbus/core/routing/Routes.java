package io.shardbus.core.routing;

import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sending side of a lane: a way to each shard, and a channel to each lane of the other nodes. */
final class Routes implements Channel.Listener {
    private final Lane lane;
    private final LaneSettings settings;
    private final @Nullable Route[] routes;
    private long remoteTells;
    private long remoteAsks;
    private final Set<Route> held = new LinkedHashSet<>();
    /** Whether a way has begun to need a home in this burst; the ticks look after all that still do. */
    private boolean homeMissing;

    final Channels channels;
    /** Messages of this node that wait: for a home, for an answer to earlier ones, or for a place in a frame. */
    private int buffered;
    /** The reason why nothing is sent from here at present. */
    private @Nullable Failure refusal;
    /**
     * Whether it must be looked at which ways are full: a channel has become so, or is no longer, or ways have changed.
     */
    private boolean waysChanged;

    Routes(Lane lane, FrameWriter writer) {
        this.lane = lane;
        this.settings = lane.settings();
        this.channels = new Channels(lane.now(), (peer, epoch) -> new Channel(peer, epoch, settings, writer, this));
        this.routes = new Route[settings.numberOfShards()];
        this.faults = lane.port()::fault;
    }

    int buffered() {
        return buffered;
    }

    @Nullable
    ShardHome home(int shard) {
        Route route = routes[shard];
        return route == null ? null : route.home();
    }

    private Route route(int shard) {
        Route route = routes[shard];
        if (route == null) {
            route = new Route(shard);
            routes[shard] = route;
        }
        return route;
    }

    private Stream<Route> known() {
        return Arrays.stream(routes).filter(Objects::nonNull);
    }

    /** Whether nothing that was sent to the shard before is still on its way. */
    boolean isClear(int shard) {
        Route route = routes[shard];
        return route == null || (route.isIdle() && !route.hasUnderWay());
    }

    /**
     * Before the end: whether no message waits, each message that was sent has an answer, and all senders know the
     * answers from here.
     */
    boolean comesToRest() {
        return buffered == 0 && channels.comeToRest(lane.now());
    }

    void send(Envelope envelope) {
        if (refusal != null) {
            lane.failed(envelope, refusal);
            return;
        }
        Route route = route(envelope.shard());
        if (!(route.isOpen() && route.isIdle() && forward(route, envelope, false))) {
            buffer(route, envelope);
        }
    }

    private void buffer(Route route, Envelope envelope) {
        if (buffered >= settings.bufferSize()) {
            refuse(envelope);
            return;
        }
        buffered++;
        route.add(envelope);
        hold(route);
        tellIfFull(route);
    }

    long remoteTells() {
        return remoteTells;
    }

    long remoteAsks() {
        return remoteAsks;
    }

    private void hold(Route route) {
        if (held.add(route)) {
            route.held(lane.now());
        }
        homeMissing |= route.wantsHome(lane.now());
    }

    private void tellIfFull(Route route) {
        PeerLane peer = route.peer();
        Channel way = peer == null ? null : channels.find(peer);
        if (route.fullChanged(way != null && way.isFull(), settings.writeQueue())) {
            lane.port().writeQueueFull(route.shard, route.isFull());
        }
    }

    private void refuse(Envelope envelope) {
        String text = "shard " + envelope.shard() + ": " + buffered + " of " + settings.bufferSize()
                + " messages wait on this lane of the region";
        lane.failed(envelope, Failure.of(FailureCode.REGION_BUFFER_FULL, text));
    }

    private void refuse(Envelope envelope, PeerLane slow, int load) {
        int room = settings.bufferSize() - buffered;
        if (room <= 0) {
            refuse(envelope);
            return;
        }
        String text = "shard " + envelope.shard() + ": " + load + " messages wait for its home " + slow.node()
                + ", which leaves " + room + " of " + settings.bufferSize()
                + " places on this lane of the region to others";
        lane.failed(envelope, Failure.of(FailureCode.REGION_BUFFER_FULL, text));
    }

    /**
     * Sends over an open way; false when it turns out not to lead there. A message whose asker waits no longer is
     * dropped.
     *
     * @param accepted whether the message has waited here already: then it has its place and is not refused
     */
    private boolean forward(Route route, Envelope envelope, boolean accepted) {
        PeerLane peer = route.peer();
        ShardHome home = route.home();
        if (peer == null || home == null) {
            return false;
        }
        envelope.token(home.token());
        if (peer.node().equals(settings.self())) {
            boolean delivered = accepted ? deliverWaiting(envelope, false) : lane.deliver(envelope, false);
            if (!delivered) {
                route.forget();
            }
            return delivered;
        }
        // A slow home may take three times what it leaves to all others of the buffer.
        int load = channels.of(route, peer).load();
        if (!accepted && load >= 3 * (settings.bufferSize() - buffered)) {
            refuse(envelope, peer, load);
        } else {
            enqueue(route, peer, envelope);
        }
        return true;
    }

    /**
     * Delivers the message to its shard here, or drops it if its asker waits no longer. Returns false if it must still
     * wait.
     */
    private boolean deliverWaiting(Envelope envelope, boolean inside) {
        return lane.asks().isOver(envelope) || lane.deliver(envelope, inside);
    }

    private void enqueue(Route route, PeerLane peer, Envelope envelope) {
        PendingAsk ask = envelope.ask() == 0 ? null : lane.asks().get(envelope.ask());
        if (ask != null) {
            ask.at = peer.node();
            remoteAsks++;
        } else if (envelope.ask() != 0) {
            return;
        } else {
            remoteTells++;
        }
        buffered++;
        route.sent(envelope, lane.now());
        channels.add(channels.of(route, peer), envelope);
    }

    void send(PeerLane to, FrameItem item) {
        channels.add(channels.to(to), item);
    }

    void show(ShardHome home) {
        Route route = route(home.shard());
        ShardHome before = route.home();
        boolean moved = route.isInHandoff();
        route.show(home, lane.now());
        if (channels.hasLeft(home.home())) {
            route.forget();
        }
        if (before != null && !before.token().equals(home.token())) {
            recall(route, before, !moved && home.equals(route.home()));
        }
        release(route);
    }

    private void recall(Route route, ShardHome from) {
        recall(route, from, false);
    }

    /** Takes messages of a way back out of the channel that have not left. */
    private void recall(Route route, ShardHome from, boolean lost) {
        Channel channel = channels.find(new PeerLane(from.home(), from.shard() % from.lanes()));
        if (channel != null && route.hasUnderWay()) {
            putBack(route, channels.takeUnsent(channel, envelope -> envelope.shard() == route.shard), lost);
        }
    }

    void beginHandoff(BeginHandoff message) {
        Route route = route(message.shard());
        ShardHome before = route.home();
        if (!route.beginHandoff(message.version(), lane.now() + settings.retryInterval())) {
            return;
        }
        if (before != null) {
            recall(route, before);
        }
        if (message.home().equals(settings.self())) {
            lane.hosted().drained(message.shard(), settings.self(), message.version());
        } else {
            PeerLane home = new PeerLane(message.home(), message.shard() % message.homeLanes());
            channels.add(channels.to(home), new FrameItem.Drained(message.shard(), message.version()));
        }
    }

    void cancelHandoffs() {
        waysChanged = true;
        known().forEach(Route::cancelHandoff);
    }

    void forgetAll() {
        waysChanged = true;
        known().forEach(route -> {
            ShardHome before = route.home();
            route.forgetAll();
            if (before != null) {
                recall(route, before);
            }
        });
    }

    /** Lets a way's messages go if it is open. */
    private void release(Route route) {
        route.settle();
        for (Envelope envelope = route.poll(); envelope != null; envelope = route.poll()) {
            buffered--;
            if (!forward(route, envelope, true)) {
                buffered++;
                route.addFirst(envelope);
                hold(route);
                break;
            }
        }
        if (route.isIdle()) {
            tellWait(route, held.remove(route));
        }
        tellIfFull(route);
    }

    /** @param waited whether messages have waited here until now */
    private void tellWait(Route route, boolean waited) {
        HomeWait wait = route.homeWait();
        if (waited || (route.isOpen() && wait.isUntold())) {
            ShardHome home = route.home();
            FencingToken token = home == null ? FencingToken.NONE : home.token();
            lane.port().wasSilent(wait.end(route.shard, token, lane.now(), waited));
        } else if (route.isOpen()) {
            wait.forget();
        }
    }

    /**
     * The shard stays here: what its entities have sent to each other meanwhile need not wait for word of the home, and
     * comes before what they send from now on.
     */
    void deliverInside(int shard) {
        Route route = route(shard);
        for (Envelope envelope : route.takeInside()) {
            buffered--;
            if (!deliverWaiting(envelope, true)) {
                buffer(route, envelope);
            }
        }
        release(route);
    }

    @Override
    public void answered(Envelope envelope, boolean taken) {
        Route route = route(envelope.shard());
        if (taken) {
            buffered--;
            route.taken(lane.now());
        } else {
            ShardHome before = route.home();
            isNowhere(envelope);
            route.bounced(envelope);
            hold(route);
            if (before != null) {
                recall(route, before);
            }
        }
        if (!route.isIdle()) {
            release(route);
        }
    }

    @Override
    public void unsendable(FrameItem item, Failure failure) {
        if (item instanceof Envelope envelope) {
            buffered--;
            route(envelope.shard()).unsendable();
            lane.failed(envelope, failure);
        } else if (item instanceof FrameItem.Reply reply && reply.failure() == null) {
            lane.port().count(failure.code());
            channels.add(channels.to(current), new FrameItem.Reply(reply.ask(), null, failure));
        }
    }

    private final Consumer<PeerLane> begins = peer -> current = peer;
    private final Consumer<Throwable> faults;
    private PeerLane current = new PeerLane(new NodeId("none"), 0);

    void frameReceived(PeerLane from, FrameHead head, List<FrameItem> items, int bytes) {
        if (channels.find(from) == null && !lane.port().admits(from)) {
            return;
        }
        Channel channel = channels.to(from);
        channel.heard(bytes, lane.now());
        if (channel.isOutlived(head)) {
            return;
        }
        if (channel.isBeyondWindow(head)) {
            lane.port().count(FailureCode.INCOMPATIBLE);
            return;
        }
        if (channel.meetsAnother(head)) {
            end(channel, "the region on " + from.node() + " was started anew");
        }
        channel.answered(head.answer(), lane.now());
        if (channel.isNext(head)) {
            channel.take(head, items, item -> lane.take(from, item), lane.now());
        }
        channels.mark(channel);
    }

    void nodeGone(NodeId node) {
        waysChanged = true;
        channels.to(node).forEach(channel -> end(channel, "node " + node + " has left the cluster"));
        channels.nodeGone(node).forEach(forgotten -> end(forgotten, forgotten.peer.node() + " left long ago"));
        known().filter(route -> route.home() != null && route.home().home().equals(node))
                .forEach(Route::homeLost);
        List.copyOf(held).forEach(this::release);
        tellWaits();
    }

    /** Of messages that were lost under way, where the next home was known before. */
    private void tellWaits() {
        known().filter(Route::isIdle).forEach(route -> tellWait(route, false));
    }

    private void end(Channel channel, String reason) {
        putBackUnsent(channel);
        channel.dropUnsentItems();
        lose(channel, reason);
    }

    private void putBackUnsent(Channel channel) {
        channels.takeUnsent(channel, envelope -> true).stream()
                .collect(Collectors.groupingBy(Envelope::shard, LinkedHashMap::new, Collectors.toList()))
                .forEach((shard, envelopes) -> putBack(route(shard), envelopes, true));
    }

    /** @param lost whether the home that they were for is lost */
    private void putBack(Route route, List<Envelope> unsent, boolean lost) {
        unsent.forEach(this::isNowhere);
        route.putBack(unsent);
        if (!route.isIdle()) {
            hold(route);
        }
        if (lost && !unsent.isEmpty()) {
            route.waitedAtLostHome();
        }
    }

    /** The message is at no other node: the loss of one does not concern its ask. */
    private void isNowhere(Envelope envelope) {
        PendingAsk ask = lane.asks().get(envelope.ask());
        if (ask != null) {
            ask.at = null;
        }
    }

    private void lose(Channel channel, String reason) {
        List<Envelope> lost = channel.reset();
        for (Envelope envelope : lost) {
            buffered--;
            route(envelope.shard()).lost(lane.now());
        }
        Failure unknown = Failure.of(FailureCode.OUTCOME_UNKNOWN, reason);
        lost.forEach(envelope -> lane.failed(envelope, unknown));
    }

    /** @param closing whether the region ends, and waits only for messages whose senders still wait */
    void tick(boolean closing) {
        for (Channel channel : channels.all()) {
            if (channel.tick(lane.now())) {
                giveUp(channel);
            }
        }
        channels.rest(lane.now());
        boolean needsRoom = closing || buffered >= settings.bufferSize();
        for (Route route : List.copyOf(held)) {
            buffered -= needsRoom ? route.dropOver(lane.asks()) : 0;
            release(route);
        }
        refuse(refusal);
        askForHomes();
    }

    /**
     * The peer has not answered for long: it may be gone, and its shards with it. A peer that was never heard gets
     * nothing more, not even a drain note, until a message is to go there again: each of these would wait for it anew.
     */
    private void giveUp(Channel channel) {
        putBackUnsent(channel);
        if (!channel.knowsPeer()) {
            channel.dropUnsentItems();
        }
        known().filter(route -> channel.peer.equals(route.peer())).forEach(Route::homeLost);
        lose(channel, "no sign of " + channel.peer.node() + " for " + settings.giveUpAfter() + " ms");
        tellWaits();
        waysChanged = true;
    }

    private void askForHomes() {
        homeMissing = false;
        List<Integer> wanted = new ArrayList<>();
        for (Route route : held) {
            if (route.wantsHome(lane.now())) {
                route.asked(lane.now(), settings.retryInterval());
                wanted.add(route.shard);
            }
        }
        if (!wanted.isEmpty()) {
            lane.port().homesWanted(wanted);
        }
    }

    void flush() {
        if (homeMissing) {
            askForHomes();
        }
        waysChanged |= channels.flush(lane.now(), settings.writeQueue(), begins, faults);
        if (waysChanged) {
            waysChanged = false;
            known().forEach(this::tellIfFull);
        }
    }

    /**
     * Ends everything: what has not left fails, what is under way has an unknown outcome, and drain handlers are
     * called.
     */
    void close() {
        for (Channel channel : channels.all()) {
            putBackUnsent(channel);
            channel.dropUnsentItems();
            channel.sayWhatIsHeard();
            lose(channel, "the region has left before the message was answered");
        }
        refuse(Failure.of(FailureCode.SHUTTING_DOWN, "the region has left"));
        flush();
    }

    void refuse(@Nullable Failure reason) {
        refusal = reason;
        if (reason == null) {
            return;
        }
        List<Envelope> refused = new ArrayList<>();
        held.forEach(route -> refused.addAll(route.takeAll()));
        held.clear();
        known().forEach(route -> route.homeWait().forget());
        buffered -= refused.size();
        waysChanged = true;
        refused.forEach(envelope -> lane.failed(envelope, reason));
    }
}
