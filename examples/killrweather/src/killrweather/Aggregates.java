package killrweather;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * Sums of a station over hours or days, oldest first. A period without a reading is missing.
 *
 * @param node the node where the station lives
 */
public record Aggregates(String id, Period period, List<Aggregate> sums, String node) {
    /** @param from the beginning of the period, milliseconds since 1970 */
    public record Aggregate(long from, long readings, Measure temperature, Measure pressure, Measure wind) {
        JsonObject toJson() {
            return new JsonObject()
                    .put("from", Instant.ofEpochMilli(from).toString())
                    .put("readings", readings)
                    .put("temperature", temperature.toJson())
                    .put("pressure", pressure.toJson())
                    .put("wind", wind.toJson());
        }
    }

    /** What one quantity was in a period. */
    public record Measure(double least, double mean, double most) {
        JsonObject toJson() {
            return new JsonObject().put("least", least).put("mean", mean).put("most", most);
        }
    }

    public Aggregates {
        sums = List.copyOf(sums);
    }

    JsonObject toJson() {
        var all = new JsonArray();
        sums.forEach(sum -> all.add(sum.toJson()));
        return new JsonObject()
                .put("id", id)
                .put("period", period.name())
                .put("sums", all)
                .put("node", node);
    }
}
