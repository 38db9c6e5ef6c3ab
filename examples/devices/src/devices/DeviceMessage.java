package devices;

import io.shardbus.Ask;
import io.shardbus.model.StartReason;
import io.vertx.core.json.JsonObject;

/** What a device understands. */
sealed interface DeviceMessage {
    /** It has measured something. */
    record Report(double value) implements DeviceMessage, Ask<State> {}

    /** What did it measure last? */
    record Read() implements DeviceMessage, Ask<State> {}

    /**
     * A device.
     *
     * @param reports how many its instance has had
     * @param started why its instance started
     */
    record State(String id, double value, int reports, StartReason started) {
        JsonObject toJson() {
            return new JsonObject()
                    .put("id", id)
                    .put("value", value)
                    .put("reports", reports)
                    .put("started", started.name());
        }
    }
}
