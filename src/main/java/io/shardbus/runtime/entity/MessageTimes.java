package io.shardbus.runtime.entity;

import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.model.LatencyReport.Outcome;

/** Records for how long the messages of one shard wait and are handled, where times are recorded. On the lane. */
final class MessageTimes {
    private final EntityLane lane;
    private final EntityOwner owner;

    MessageTimes(EntityLane lane, EntityOwner owner) {
        this.lane = lane;
        this.owner = owner;
    }

    /** The message that is taken up next has waited so many milliseconds. */
    void waited(long millis) {
        LaneLatency latency = lane.latency();
        if (latency != null) {
            latency.waited(millis);
        }
    }

    /** A message is taken up now; the lane's reading of that moment, or 0 if its time is not measured. */
    int takenUp() {
        LaneLatency latency = lane.latency();
        if (latency == null) {
            return 0;
        }
        boolean sampled = latency.samples();
        latency.takenUp(sampled);
        return sampled ? lane.micros() : 0;
    }

    /**
     * A message that is measured, or whose handling failed or was long, is done.
     *
     * @param takenUp the reading at which it was taken up; 0 if its time is not measured
     * @param millis its time in hand by the lane's clock
     */
    void handled(Envelope envelope, int takenUp, long millis, boolean failed) {
        LaneLatency latency = lane.latency();
        if (latency == null) {
            return;
        }
        long micros = takenUp != 0 ? lane.microsSince(takenUp) : Math.max(0, millis) * 1000;
        owner.busy(latency.busy(millis, takenUp != 0, micros));
        latency.handledBy(envelope.entityId(), envelope.shard(), millis, takenUp != 0, micros);
        if (takenUp == 0 && !failed) {
            return;
        }
        Object payload = OwnMessage.message(envelope.payload());
        latency.handled(payload.getClass(), failed ? Outcome.FAILED : Outcome.OK, micros);
    }
}
