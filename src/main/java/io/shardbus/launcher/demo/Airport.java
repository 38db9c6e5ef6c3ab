package io.shardbus.launcher.demo;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.model.FencingToken;
import io.shardbus.model.StopReason;
import io.vertx.core.Future;

/** One airport: its totals live in memory while it is awake, and rest in the archive while it moves. */
final class Airport implements Entity<AirportMessage> {
    private final String code;
    private final Archive archive;
    private AirportTotals totals = AirportTotals.NONE;
    private FencingToken token = FencingToken.NONE;

    Airport(String code, Archive archive) {
        this.code = code;
        this.archive = archive;
    }

    @Override
    public Future<?> started(EntityContext<AirportMessage> context) {
        token = context.token();
        return archive.open(code, token).onSuccess(found -> totals = found);
    }

    @Override
    public Future<?> receive(AirportMessage message, EntityContext<AirportMessage> context) {
        if (message instanceof AirportMessage.Departed departed) {
            totals = totals.departed(departed.miles());
            return reply(totals.departures());
        }
        if (message instanceof AirportMessage.Arrived arrived) {
            totals = totals.arrived(arrived.minutesLate());
            return reply(totals.arrivals());
        }
        return reply(totals);
    }

    @Override
    public Future<?> stopping(StopReason reason) {
        return archive.save(code, token, totals);
    }
}
