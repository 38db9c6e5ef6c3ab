package auction;

import auction.AuctionEvent.BidPlaced;
import auction.AuctionEvent.Closed;
import auction.AuctionEvent.Opened;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.spi.PersistenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * One auction. It is open from its first message on, for ten minutes unless it was opened for another time, and closes
 * by a reminder. Each bid is stored before it is answered, so that no crash loses it.
 */
public final class Auction implements EventSourcedEntity<AuctionMessage, AuctionEvent, AuctionState> {
    public static final EntityType<AuctionMessage> TYPE = EntityType.of("auction", AuctionMessage.class);

    /** The code of a refused bid that is not higher than the highest. */
    public static final String TOO_LOW = "TOO_LOW";

    /** The code of a refused bid on an auction that has ended. */
    public static final String CLOSED = "CLOSED";

    /** The code of a refused opening of an auction that is open. */
    public static final String ALREADY_OPEN = "ALREADY_OPEN";

    private static final Duration USUAL = Duration.ofMinutes(10);
    private static final int EVENTS_PER_SNAPSHOT = 100;

    private final Listener listener;
    private final LongSupplier wallClock;

    /** Hears of what happens in auctions. */
    interface Listener {
        /** @param event {@code bid} or {@code closed} */
        void heard(String event, AuctionView auction);
    }

    /**
     * Auctions that are read from the store when a message comes; one that is idle for long is passivated.
     *
     * @param wallClock milliseconds: the end of an auction is the same moment on each node it lives on
     */
    static EntityDefinition<AuctionMessage> definition(
            PersistenceStore store, Listener listener, LongSupplier wallClock) {
        return EventSourced.of(TYPE, id -> new Auction(listener, wallClock), EventCodec.json(AuctionEvent.class))
                .withSnapshots(StateCodec.json(AuctionState.class), EVENTS_PER_SNAPSHOT)
                .on(store);
    }

    private Auction(Listener listener, LongSupplier wallClock) {
        this.listener = listener;
        this.wallClock = wallClock;
    }

    @Override
    public AuctionState emptyState() {
        return AuctionState.EMPTY;
    }

    @Override
    public AuctionState apply(AuctionState state, AuctionEvent event) {
        return state.after(event);
    }

    @Override
    public Effect<AuctionEvent, AuctionState> handle(
            AuctionState state, AuctionMessage message, PersistenceContext<AuctionMessage> context) {
        if (message instanceof AuctionMessage.Bid bid) {
            return bid(state, bid, context);
        }
        if (message instanceof AuctionMessage.Close) {
            return close(state, context);
        }
        if (state.exists()) {
            return message instanceof AuctionMessage.Open
                    ? refuse(ALREADY_OPEN, "auction " + context.id() + " is open, or was")
                    : reply(view(state, context));
        }
        var time = message instanceof AuctionMessage.Open open ? Duration.ofMillis(open.forMillis()) : USUAL;
        return persist(opened(time, context)).thenReply(now -> view(now, context));
    }

    /** The event and the reminder of its end are stored together. */
    private Opened opened(Duration time, PersistenceContext<AuctionMessage> context) {
        long endsAt = wallClock.getAsLong() + time.toMillis();
        context.remind("close", Instant.ofEpochMilli(endsAt), new AuctionMessage.Close());
        return new Opened(endsAt);
    }

    private Effect<AuctionEvent, AuctionState> bid(
            AuctionState state, AuctionMessage.Bid bid, PersistenceContext<AuctionMessage> context) {
        var highest = state.highest();
        if (state.isOver(wallClock.getAsLong())) {
            return refuse(CLOSED, "auction " + context.id() + " is closed");
        }
        if (highest != null && bid.amount() <= highest.amount()) {
            return refuse(TOO_LOW, bid.amount() + " is not more than " + highest.amount());
        }
        List<AuctionEvent> events = new ArrayList<>();
        if (!state.exists()) {
            events.add(opened(USUAL, context));
        }
        events.add(new BidPlaced(bid.bidder(), bid.amount()));
        return told("bid", persist(events), context);
    }

    /** A reminder may come twice. */
    private Effect<AuctionEvent, AuctionState> close(AuctionState state, PersistenceContext<AuctionMessage> context) {
        return state.closed() ? reply(view(state, context)) : told("closed", persist(new Closed()), context);
    }

    /** Listeners hear of what is stored. */
    private Effect<AuctionEvent, AuctionState> told(
            String event, Effect<AuctionEvent, AuctionState> effect, PersistenceContext<AuctionMessage> context) {
        return effect.thenRun(now -> listener.heard(event, view(now, context))).thenReply(now -> view(now, context));
    }

    private AuctionView view(AuctionState state, PersistenceContext<AuctionMessage> context) {
        return new AuctionView(
                context.id(),
                state.highest(),
                state.bids(),
                state.isOver(wallClock.getAsLong()),
                context.node().value(),
                context.incarnation());
    }
}
