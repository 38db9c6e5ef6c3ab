package io.shardbus.transport.direct;

import io.netty.channel.ChannelFuture;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.NodeId;
import io.shardbus.transport.seal.Seals;
import io.shardbus.transport.seal.StreamSeal;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The links of one lane to and from lanes of other nodes, one for each direction, all on the lane's own event loop. A
 * link is no more reliable than the event bus: what must arrive is repeated by the core. Every method is called on the
 * lane.
 */
public final class LaneLinks {
    private static final int BEAT_MS = 500;
    /** In beats; a lane that has a place may come so late. */
    private static final int OFFER_HOLDS = 8;

    /** In beats: the pause after which a lane that has no port tries again to listen. */
    private static final int LISTEN_PAUSE = 10;

    private static final int MOST_OFFERS = 4096;

    /**
     * Collaborators of a lane's links.
     *
     * @param mostBytes the largest frame that the lane reads
     * @param bus sends a note over the bus, behind the frames that the lane has sent there
     * @param receiver takes frames, as if they came over the bus
     * @param refusals hears of what came and made no sense
     * @param seals what frames are sealed with; null: they are not
     */
    public record Wiring(
            PeerLane self,
            int mostBytes,
            BiConsumer<PeerLane, Buffer> bus,
            Consumer<Buffer> receiver,
            Consumer<String> refusals,
            @Nullable Seals seals) {}

    /** A place for one connection of a peer. */
    private static final class Offer {
        private final LinkToken token;
        private @Nullable InLink taken;
        private int holds = OFFER_HOLDS;

        Offer(LinkToken token) {
            this.token = token;
        }
    }

    private final Vertx vertx;
    private final DirectPlace place;
    private final Wiring wiring;
    private final NetClient client;
    private final Map<PeerLane, OutLink> out = new HashMap<>();
    private final Map<PeerLane, Offer> offers = new HashMap<>();
    private final Set<InLink> in = new HashSet<>();
    private DirectPlace.@Nullable Door door;
    private boolean closed;
    private boolean isBinding;
    private boolean hadNoPort;
    private int pause;

    /** On the lane's own context, which becomes that of all connections. */
    LaneLinks(Vertx vertx, DirectPlace place, Wiring wiring) {
        this.vertx = vertx;
        this.place = place;
        this.wiring = wiring;
        this.client = place.newClient();
    }

    /** Listens; a lane that cannot is still able to connect to others, and tries again. Never fails. */
    public Future<Void> start() {
        vertx.setTimer(BEAT_MS, this::beat);
        return listen();
    }

    private Future<Void> listen() {
        isBinding = true;
        pause = LISTEN_PAUSE;
        return place.listen(this::accepted, hadNoPort)
                .onComplete(bound -> {
                    isBinding = false;
                    hadNoPort = bound.failed();
                })
                .compose(this::opened)
                .otherwiseEmpty();
    }

    /** A port may be free by now: the system frees that of a lane that has ended only a moment after it has closed. */
    private void listenAgain() {
        if (door == null && !isBinding && --pause <= 0) {
            Future<Void> unused = listen();
        }
    }

    private Future<Void> opened(DirectPlace.Door opened) {
        door = opened;
        return closed ? opened.close() : Future.succeededFuture();
    }

    private void accepted(NetSocket socket) {
        if (closed) {
            socket.close();
        } else {
            in.add(new InLink(this, socket));
        }
    }

    /**
     * Sends a frame; false when it must go over the bus.
     *
     * @param mayAsk whether a link may be requested for the frame; if not, only an existing one is used
     */
    public boolean send(PeerLane to, Buffer frame, boolean mayAsk) {
        OutLink link = out.get(to);
        if (link == null && mayAsk) {
            link = new OutLink(to, this);
            out.put(to, link);
        }
        return link != null && !closed && link.send(frame, mayAsk);
    }

    /** Whether frames to the peer go by a connection of this lane's own. */
    public boolean isOpen(PeerLane peer) {
        OutLink link = out.get(peer);
        return link != null && link.isOpen();
    }

    /** Whether what has come over the bus is no frame, but for these links. */
    public static boolean isNote(Buffer buffer) {
        return LinkNote.isNote(buffer);
    }

    /**
     * The lane that a note says it is from.
     *
     * @throws WireFormatException for garbage
     */
    public static PeerLane sender(Buffer note) {
        return LinkNote.read(note).from();
    }

    /** @throws WireFormatException for garbage */
    public void noted(Buffer buffer) {
        LinkNote note = LinkNote.read(buffer);
        switch (note.kind()) {
            case LinkNote.ASK -> {
                // one that seals nothing, or of an earlier build that does not seal links, goes on over the bus
                if (note.sealed() == areSealed()) {
                    asked(note.from());
                }
            }
            case LinkNote.OFFER -> {
                OutLink link = out.get(note.from());
                if (link != null && note.sealed() == areSealed()) {
                    link.offered(note);
                }
            }
            case LinkNote.SWITCH -> switched(note);
            default -> refuse("a note of kind " + note.kind() + " about a link, which a later build knows");
        }
    }

    private void asked(PeerLane from) {
        DirectPlace.Door here = door;
        if (here == null || closed || offers.size() >= MOST_OFFERS) {
            return;
        }
        Offer offer = new Offer(place.newToken());
        drop(offers.put(from, offer));
        note(from, LinkNote.offer(self(), offer.token, here.host(), here.port(), wiring.mostBytes(), areSealed()));
    }

    private void switched(LinkNote note) {
        Offer offer = offers.get(note.from());
        if (offer != null && offer.taken != null && offer.token.equals(note.token())) {
            offer.taken.open();
        }
    }

    private static void drop(@Nullable Offer former) {
        if (former != null && former.taken != null) {
            former.taken.close();
        }
    }

    /** The lane to which this token was given, once; null if there is none. */
    @Nullable
    PeerLane admit(LinkToken token, InLink link) {
        for (Map.Entry<PeerLane, Offer> entry : offers.entrySet()) {
            Offer offer = entry.getValue();
            if (offer.taken == null && offer.token.equals(token)) {
                offer.taken = link;
                return entry.getKey();
            }
        }
        return null;
    }

    /** A connection has ended. */
    void gone(InLink link) {
        in.remove(link);
        offers.values().removeIf(offer -> offer.taken == link);
    }

    /** The node has left the cluster, or is cut off: what it sends next comes over the bus, or not at all. */
    public void nodeGone(NodeId node) {
        out.entrySet().removeIf(entry -> {
            boolean its = entry.getKey().node().equals(node);
            if (its) {
                entry.getValue().cut();
            }
            return its;
        });
        offers.entrySet().removeIf(entry -> {
            boolean its = entry.getKey().node().equals(node);
            if (its) {
                drop(entry.getValue());
            }
            return its;
        });
    }

    private void beat(long timer) {
        beat();
        if (!closed) {
            listenAgain();
            vertx.setTimer(BEAT_MS, this::beat);
        }
    }

    /** A while has gone by. */
    void beat() {
        out.values().removeIf(link -> !link.beat());
        List.copyOf(in).forEach(InLink::beat);
        offers.values().removeIf(offer -> offer.taken == null && --offer.holds <= 0);
    }

    /** Completes when what was sent has been written, or cannot be, and no lane is connected any more. */
    public Future<Void> close() {
        closed = true;
        List<Future<Void>> closing = out.values().stream().map(OutLink::close).toList();
        List.copyOf(in).forEach(InLink::close);
        DirectPlace.Door opened = door;
        return Future.join(closing)
                .<Void>mapEmpty()
                .otherwiseEmpty()
                .compose(done -> opened == null ? Future.succeededFuture() : opened.close())
                .otherwiseEmpty();
    }

    /**
     * Ends a connection at once: one that closes in good order first writes what there is, for which its other side
     * must read.
     */
    static void cut(NetSocket socket) {
        ChannelFuture unused =
                ((NetSocketInternal) socket).channelHandlerContext().close();
    }

    /** Whether frames on links are sealed. */
    boolean areSealed() {
        return wiring.seals() != null;
    }

    /** One end of the seals on the connection for which a token is; null if frames are not sealed. */
    @Nullable
    StreamSeal sealOf(LinkToken token) {
        Seals seals = wiring.seals();
        return seals == null ? null : seals.stream(token.stream());
    }

    PeerLane self() {
        return wiring.self();
    }

    int mostBytes() {
        return wiring.mostBytes();
    }

    void received(Buffer frame) {
        wiring.receiver().accept(frame);
    }

    void note(PeerLane to, LinkNote note) {
        wiring.bus().accept(to, note.write());
    }

    void refuse(String problem) {
        wiring.refusals().accept(problem);
    }

    Future<NetSocket> connect(String host, int port) {
        return client.connect(port, host);
    }
}
