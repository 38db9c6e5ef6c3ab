package killrweather;

import io.shardbus.Ask;
import java.util.List;

/** What a weather station understands. */
public sealed interface StationMessage {
    /** The most readings of one message. */
    int MOST_READINGS = 1_000;

    /**
     * Takes readings, oldest first. Those that are no newer than the newest of the station are passed over, so a
     * message that is sent again counts once.
     */
    record Take(List<Reading> readings) implements StationMessage, Ask<StationState> {
        public Take {
            if (readings.size() > MOST_READINGS) {
                throw new IllegalArgumentException("at most " + MOST_READINGS + " readings at a time");
            }
            readings = List.copyOf(readings);
        }
    }

    /** Changes nothing. */
    record Read() implements StationMessage, Ask<StationState> {}

    /** Asks for the newest sums of a period, oldest first; the last one goes on to change. */
    record Sum(Period period, int newest) implements StationMessage, Ask<Aggregates> {}
}
