package io.shardbus.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Dependents;
import io.shardbus.model.NodeId;
import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two nodes that may coordinate, a and b, and one that may not. */
class DepartingSeatsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId GUEST = new NodeId("guest");
    private static final Dependents OF_A = new Dependents(List.of(B, GUEST), Set.of(B));
    private static final Dependents OF_B = new Dependents(List.of(A, GUEST), Set.of(A));

    private final InMemoryRecordStore records = new InMemoryRecordStore();
    private final DepartingSeats seats = new DepartingSeats(records);

    @Test
    void theSecondOfTwoThatLeaveIsRefused() {
        assertEquals(List.of(), seats.leave(A, OF_A::without).result());
        assertEquals(List.of(GUEST), seats.leave(B, OF_B::without).result());
        assertEquals(List.of(), seats.leave(A, OF_A::without).result(), "asked again");
    }

    @Test
    void whoAsksAtTheSameMomentKnowsOfTheOther() {
        RecordStore between = new Overtaken(1);
        assertEquals(
                List.of(GUEST),
                new DepartingSeats(between).leave(B, OF_B::without).result());
    }

    @Test
    void failsWhereOthersAreAlwaysQuicker() {
        assertTrue(new DepartingSeats(new Overtaken(Integer.MAX_VALUE))
                .leave(new NodeId("c"), departing -> List.of())
                .failed());
    }

    @Test
    void theOldestAreForgotten() {
        for (int i = 0; i < 2 * DepartingSeats.MOST; i++) {
            assertEquals(
                    List.of(),
                    seats.leave(new NodeId("n" + i), departing -> List.of()).result());
        }
        String text = String.valueOf(records.read("departing-seats").result());
        assertEquals(DepartingSeats.MOST, text.lines().count());
        assertTrue(text.endsWith("\nn" + (2 * DepartingSeats.MOST - 1)), "the last is there");
    }

    /** Node a, or another one each time, records that it leaves between the read and the write. */
    private final class Overtaken implements RecordStore {
        private final int times;
        private final AtomicInteger overtaken = new AtomicInteger();

        Overtaken(int times) {
            this.times = times;
        }

        @Override
        public Future<@Nullable String> read(String name) {
            return records.read(name);
        }

        @Override
        public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
            int turn = overtaken.getAndIncrement();
            if (turn < times) {
                seats.leave(turn == 0 ? A : new NodeId("other " + turn), departing -> List.of());
            }
            return records.replace(name, expected, next);
        }
    }
}
