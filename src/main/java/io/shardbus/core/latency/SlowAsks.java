package io.shardbus.core.latency;

import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.model.LatencyReport.SlowAsk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The slowest asks of a lane in the last minute, quarter of an hour and hour. Those of the present turn are in places
 * that are used again, so that an ask allocates nothing. Single writer.
 */
final class SlowAsks {
    static final int MOST = SlowAsk.MOST;
    private static final long[] WINDOWS = {60_000, 900_000, 3_600_000};

    private final Place[] places = new Place[MOST];
    private int used;
    /** The shortest time in the places, once all are used. */
    private long least;

    private List<SlowAsk> earlier = List.of();

    private static final class Place {
        private String message = "";
        private String entityId = "";
        private Map<String, String> trace = Map.of();
        private Outcome outcome = Outcome.OK;
        private boolean remote;
        private long micros;
        private long at;
        private String failure = "";

        SlowAsk report() {
            return new SlowAsk(at, message, entityId, trace, outcome, remote, micros, failure);
        }
    }

    /** Whether an ask of this time is among the slowest of the present turn. */
    boolean takes(long micros) {
        return used < MOST || micros > least;
    }

    private int fastest() {
        int found = 0;
        for (int i = 1; i < used; i++) {
            found = places[i].micros < places[found].micros ? i : found;
        }
        return found;
    }

    /** @param at wall-clock milliseconds of its end */
    void add(String message, LaneLatency.Asked ask, Map<String, String> trace, Outcome outcome, long micros, long at) {
        Place place;
        if (used < MOST) {
            place = new Place();
            places[used++] = place;
        } else {
            place = places[fastest()];
        }
        place.message = message;
        place.entityId = ask.entityId();
        place.trace = trace;
        place.outcome = outcome;
        place.remote = ask.remote();
        place.failure = ask.failure();
        place.micros = micros;
        place.at = at;
        least = used < MOST ? 0 : places[fastest()].micros;
    }

    /** A turn is over. */
    void turn(long at) {
        earlier = slowest(at);
        used = 0;
    }

    /** The slowest of each window, each once, the slowest first. */
    List<SlowAsk> slowest(long at) {
        List<SlowAsk> all = new ArrayList<>(earlier);
        for (int i = 0; i < used; i++) {
            all.add(places[i].report());
        }
        all.sort(Comparator.comparingLong(SlowAsk::micros).reversed());
        Set<SlowAsk> kept = new LinkedHashSet<>();
        for (long window : WINDOWS) {
            all.stream().filter(ask -> at - ask.at() <= window).limit(MOST).forEach(kept::add);
        }
        return kept.stream()
                .sorted(Comparator.comparingLong(SlowAsk::micros).reversed())
                .toList();
    }
}
