package killrweather;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A station as one of its instances knew it.
 *
 * @param last the newest reading; null before the first
 * @param taken how many readings were taken
 * @param passedOver how many were no newer than the newest
 * @param node the node where the instance lived
 * @param incarnation another one for every start of an instance
 */
public record StationState(
        String id, @Nullable Reading last, long taken, long passedOver, String node, String incarnation) {
    JsonObject toJson() {
        return new JsonObject()
                .put("id", id)
                .put("last", last == null ? null : toJson(last))
                .put("taken", taken)
                .put("passedOver", passedOver)
                .put("node", node)
                .put("incarnation", incarnation);
    }

    static JsonObject toJson(Reading reading) {
        return new JsonObject()
                .put("at", Instant.ofEpochMilli(reading.at()).toString())
                .put("temperature", reading.temperature())
                .put("pressure", reading.pressure())
                .put("wind", reading.wind());
    }
}
