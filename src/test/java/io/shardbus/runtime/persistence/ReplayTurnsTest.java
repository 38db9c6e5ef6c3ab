package io.shardbus.runtime.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.runtime.entity.EntityLane;
import io.shardbus.runtime.entity.LaneTask;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The recoveries of a lane")
class ReplayTurnsTest {
    /** What the event loop does next. */
    private final Deque<Runnable> loop = new ArrayDeque<>();

    private final List<String> applied = new ArrayList<>();
    private int microsOfEvent = 1;
    private int micros;
    private final ReplayTurns turns = new ReplayTurns(lane());

    /** A lane whose time goes on with each event. */
    private EntityLane lane() {
        return (EntityLane) Proxy.newProxyInstance(
                EntityLane.class.getClassLoader(),
                new Class<?>[] {EntityLane.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "afterwards" -> {
                        loop.add((Runnable) arguments[0]);
                        yield null;
                    }
                    case "execute" -> {
                        ((LaneTask) arguments[0]).run(null, 0);
                        yield null;
                    }
                    case "micros" -> micros;
                    case "microsSince" -> (long) (micros - (int) arguments[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private void add(String name, int events) {
        int[] left = {events};
        turns.add(() -> {
            applied.add(name);
            micros += microsOfEvent;
            left[0]--;
            return left[0] > 0;
        });
    }

    private int count(String name) {
        return Collections.frequency(applied, name);
    }

    @Test
    @DisplayName("let the event loop go on after 256 events of a long history")
    void longHistory() {
        add("a", 600);
        assertEquals(256, count("a"));
        loop.remove().run();
        assertEquals(512, count("a"));
        loop.remove().run();
        assertEquals(600, count("a"));
        loop.remove().run();
        assertEquals(List.of(), List.copyOf(loop));
    }

    @Test
    @DisplayName("share these 256 events, in the order in which they came")
    void several() {
        for (int i = 0; i < 10; i++) {
            add("e" + i, 100);
        }
        assertEquals(List.of(100, 100, 56, 0), List.of(count("e0"), count("e1"), count("e2"), count("e3")));
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
        List<String> inOrder = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            inOrder.addAll(Collections.nCopies(100, "e" + i));
        }
        assertEquals(inOrder, applied);
    }

    @Test
    @DisplayName("let it go on after 5 ms where events take long")
    void slowEvents() {
        microsOfEvent = 1_000;
        add("a", 100);
        add("b", 1);
        assertEquals(5, count("a"));
        loop.remove().run();
        assertEquals(10, count("a"));
        assertEquals(0, count("b"));
    }

    @Test
    @DisplayName("go on behind one that throws")
    void thrown() {
        add("a", 300);
        turns.add(() -> {
            throw new IllegalStateException("as wanted");
        });
        add("b", 1);
        assertThrows(IllegalStateException.class, () -> loop.remove().run());
        loop.remove().run();
        assertEquals(1, count("b"));
    }
}
