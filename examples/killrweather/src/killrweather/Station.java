package killrweather;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityType;
import io.shardbus.options.PassivationOptions;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import killrweather.StationMessage.Read;
import killrweather.StationMessage.Sum;
import killrweather.StationMessage.Take;
import org.jspecify.annotations.Nullable;

/**
 * One weather station: its newest reading, and the sums of the last hours and days. What it knows travels with it while
 * its shard moves in good order; a crash loses it, and the feed sends it again.
 */
public final class Station implements Entity<StationMessage>, HandsOver {
    public static final EntityType<StationMessage> TYPE = EntityType.of("weather-station", StationMessage.class);

    /** The code of refused readings whose time is more than an hour ahead: all that follow would be passed over. */
    public static final String AHEAD_OF_TIME = "AHEAD_OF_TIME";

    private static final long MOST_AHEAD_MS = Duration.ofHours(1).toMillis();
    private static final int STATE_VERSION = 1;

    private final LongSupplier wallClock;
    private final Map<Period, Sums> sums = new EnumMap<>(Period.class);
    private @Nullable Reading last;
    private long taken;
    private long passedOver;

    /**
     * Stations that are not passivated for being idle, since nothing else keeps their sums.
     *
     * @param wallClock milliseconds since 1970
     */
    static EntityDefinition<StationMessage> definition(LongSupplier wallClock) {
        return EntityDefinition.of(TYPE, id -> new Station(wallClock))
                .withPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
    }

    private Station(LongSupplier wallClock) {
        this.wallClock = wallClock;
        for (var period : Period.values()) {
            sums.put(period, new Sums(period));
        }
    }

    private Sums sums(Period period) {
        return sums.get(period);
    }

    @Override
    public Future<?> receive(StationMessage message, EntityContext<StationMessage> context) {
        if (message instanceof Take take) {
            take(take);
            return context.reply(take, state(context));
        }
        if (message instanceof Sum sum) {
            var newest = sums(sum.period()).newest(sum.newest());
            return context.reply(
                    sum,
                    new Aggregates(
                            context.id(), sum.period(), newest, context.node().value()));
        }
        return context.reply((Read) message, state(context));
    }

    /** All of them, or none when one is ahead of time. */
    private void take(Take message) {
        long latest = wallClock.getAsLong() + MOST_AHEAD_MS;
        for (var reading : message.readings()) {
            if (reading.at() > latest) {
                throw new EntityFailure(AHEAD_OF_TIME, "a reading is more than an hour ahead of the time of the node");
            }
        }
        for (var reading : message.readings()) {
            if (last != null && reading.at() <= last.at()) {
                passedOver++;
            } else {
                last = reading;
                taken++;
                sums.values().forEach(over -> over.add(reading));
            }
        }
    }

    private StationState state(EntityContext<StationMessage> context) {
        return new StationState(
                context.id(), last, taken, passedOver, context.node().value(), context.incarnation());
    }

    @Override
    public Future<State> handOver() {
        var known = Buffer.buffer().appendLong(taken).appendLong(passedOver);
        known.appendLong(last == null ? 0 : 1);
        if (last != null) {
            known.appendLong(last.at())
                    .appendDouble(last.temperature())
                    .appendDouble(last.pressure())
                    .appendDouble(last.wind());
        }
        sums.values().forEach(over -> over.writeTo(known));
        return Future.succeededFuture(new State(STATE_VERSION, known));
    }

    /** A later version of this class goes on reading the states of this one: in a rolling update both are there. */
    @Override
    public Future<?> takeOver(State state) {
        if (state.version() != STATE_VERSION) {
            throw new IllegalArgumentException("state of version " + state.version() + ", known is " + STATE_VERSION);
        }
        var in = new Sums.In(state.bytes());
        taken = in.number();
        passedOver = in.number();
        last = in.number() == 0 ? null : new Reading(in.number(), in.real(), in.real(), in.real());
        sums.values().forEach(over -> over.read(in));
        return done();
    }
}
