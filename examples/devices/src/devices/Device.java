package devices;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.vertx.core.Future;

/** The last word of a device. It lives in memory: an instance that starts anew has heard nothing yet. */
final class Device implements Entity<DeviceMessage> {
    private double value;
    private int reports;

    @Override
    public Future<?> receive(DeviceMessage message, EntityContext<DeviceMessage> context) {
        if (message instanceof DeviceMessage.Report report) {
            value = report.value();
            reports++;
        }
        return reply(new DeviceMessage.State(context.id(), value, reports, context.startReason()));
    }
}
