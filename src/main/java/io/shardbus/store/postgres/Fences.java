package io.shardbus.store.postgres;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.LogFence;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** The first parameters of a statement under a fence: arrays of logs, tokens, and where wanted openings and ends. */
final class Fences {
    private final List<Integer> logs = new ArrayList<>();
    private final List<Long> terms = new ArrayList<>();
    private final List<Long> incarnations = new ArrayList<>();
    private final List<Long> sequences = new ArrayList<>();
    private final List<Long> openings = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();

    void add(int log, FencingToken token) {
        logs.add(log);
        terms.add(token.term());
        incarnations.add(token.incarnation());
        sequences.add(token.sequence());
    }

    void add(LogFence fence, long end) {
        add(fence.log(), fence.token());
        openings.add(fence.opening());
        ends.add(end);
    }

    Integer[] logs() {
        return logs.toArray(Integer[]::new);
    }

    Tuple tuple() {
        Tuple tuple = Tuple.tuple()
                .addArrayOfInteger(logs())
                .addArrayOfLong(terms.toArray(Long[]::new))
                .addArrayOfLong(incarnations.toArray(Long[]::new))
                .addArrayOfLong(sequences.toArray(Long[]::new));
        if (openings.isEmpty()) {
            return tuple;
        }
        return tuple.addArrayOfLong(openings.toArray(Long[]::new)).addArrayOfLong(ends.toArray(Long[]::new));
    }
}
