package auction;

import auction.AuctionState.HighestBid;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityType;
import io.shardbus.options.PassivationOptions;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One auction. It is open from its first message on, for ten minutes unless it was opened for another time, and closes
 * by a timer. What it knows travels with it while its shard moves in good order; a crash loses it, since it is kept in
 * no store.
 */
public final class Auction implements Entity<AuctionMessage>, HandsOver {
    public static final EntityType<AuctionMessage> TYPE = EntityType.of("auction", AuctionMessage.class);

    /** The code of a refused bid that is not higher than the highest. */
    public static final String TOO_LOW = "TOO_LOW";

    /** The code of a refused bid on an auction that has ended. */
    public static final String CLOSED = "CLOSED";

    /** The code of a refused opening of an auction that is open. */
    public static final String ALREADY_OPEN = "ALREADY_OPEN";

    private static final Duration USUAL = Duration.ofMinutes(10);
    private static final int STATE_VERSION = 1;

    private final Listener listener;
    private final LongSupplier wallClock;
    private @Nullable HighestBid highest;
    private long bids;
    private long endsAt;
    private boolean opened;
    private boolean closed;

    /** Hears of what happens in auctions. */
    interface Listener {
        /** @param event {@code bid} or {@code closed} */
        void heard(String event, AuctionState auction);
    }

    /**
     * Auctions that are not passivated for being idle: one waits for its end without messages.
     *
     * @param wallClock milliseconds: the end of an auction is the same moment on each node it lives on
     */
    static EntityDefinition<AuctionMessage> definition(Listener listener, LongSupplier wallClock) {
        return EntityDefinition.of(TYPE, id -> new Auction(listener, wallClock))
                .withPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
    }

    private Auction(Listener listener, LongSupplier wallClock) {
        this.listener = listener;
        this.wallClock = wallClock;
    }

    /** An auction that has moved goes on until the moment that it had before. */
    @Override
    public Future<?> started(EntityContext<AuctionMessage> context) {
        if (opened && !closed) {
            context.setTimer(untilEnd(), new AuctionMessage.Close());
        }
        return done();
    }

    private Duration untilEnd() {
        return Duration.ofMillis(Math.max(1, endsAt - wallClock.getAsLong()));
    }

    @Override
    public Future<?> receive(AuctionMessage message, EntityContext<AuctionMessage> context) {
        if (message instanceof AuctionMessage.Open open) {
            if (opened) {
                throw new EntityFailure(ALREADY_OPEN, "auction " + context.id() + " is open, or was");
            }
            open(Duration.ofMillis(open.forMillis()), context);
        } else if (!opened) {
            open(USUAL, context);
        }
        if (message instanceof AuctionMessage.Bid bid) {
            take(bid, context);
        } else if (message instanceof AuctionMessage.Close && !closed) {
            closed = true;
            listener.heard("closed", state(context));
        }
        return context.reply(message, state(context));
    }

    private void open(Duration time, EntityContext<AuctionMessage> context) {
        opened = true;
        endsAt = wallClock.getAsLong() + time.toMillis();
        context.setTimer(time, new AuctionMessage.Close());
    }

    private void take(AuctionMessage.Bid bid, EntityContext<AuctionMessage> context) {
        if (closed) {
            throw new EntityFailure(CLOSED, "auction " + context.id() + " is closed");
        }
        if (highest != null && bid.amount() <= highest.amount()) {
            throw new EntityFailure(TOO_LOW, bid.amount() + " is not more than " + highest.amount());
        }
        highest = new HighestBid(bid.bidder(), bid.amount());
        bids++;
        listener.heard("bid", state(context));
    }

    private AuctionState state(EntityContext<AuctionMessage> context) {
        return new AuctionState(
                context.id(), highest, bids, closed, context.node().value(), context.incarnation());
    }

    @Override
    public Future<State> handOver() {
        var known = new JsonObject()
                .put("bids", bids)
                .put("opened", opened)
                .put("endsAt", endsAt)
                .put("closed", closed);
        if (highest != null) {
            known.put("highest", highest.toJson());
        }
        return Future.succeededFuture(new State(STATE_VERSION, known.toBuffer()));
    }

    /** A later version of this class goes on reading the states of this one: in a rolling update both are there. */
    @Override
    public Future<?> takeOver(State state) {
        if (state.version() != STATE_VERSION) {
            throw new IllegalArgumentException("state of version " + state.version() + ", known is " + STATE_VERSION);
        }
        var known = new JsonObject(Buffer.buffer(state.bytes().getBytes()));
        var bid = known.getJsonObject("highest");
        highest = bid == null ? null : new HighestBid(bid.getString("bidder"), bid.getLong("amount"));
        bids = known.getLong("bids");
        opened = known.getBoolean("opened");
        endsAt = known.getLong("endsAt");
        closed = known.getBoolean("closed");
        return done();
    }
}
