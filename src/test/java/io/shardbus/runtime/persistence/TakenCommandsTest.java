package io.shardbus.runtime.persistence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.persistence.DedupWindow.CommandStatus;
import io.shardbus.core.persistence.DedupWindow.Executed;
import io.shardbus.core.persistence.DedupWindow.Fingerprint;
import io.shardbus.model.Deduplication;
import io.shardbus.model.DeliveryNumber;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A layer of commands that are under way")
class TakenCommandsTest {
    private static final int HISTORIES = 300;
    private static final int STEPS = 200;
    private static final int KEYS = 30;
    private static final Deduplication LARGE = new Deduplication(1_000, 1 << 20);
    private static final Fingerprint PRINT = new Fingerprint(1, 17);

    private static Executed executed(String key, long createdAt) {
        return new Executed(key, createdAt, PRINT, key.getBytes(StandardCharsets.UTF_8));
    }

    /** Commands that were stored, those under way on top of them, and the two together as they are expected. */
    private static final class History {
        final Random random;
        TakenCommands stored = new TakenCommands(LARGE);
        TakenCommands expected = new TakenCommands(LARGE);
        final Deque<Consumer<TakenCommands>> underWay = new ArrayDeque<>();

        @Nullable
        TakenCommands layer;

        History(int seed) {
            random = new Random(seed);
        }

        void step() {
            int kind = random.nextInt(10);
            if (kind < 5) {
                String key = "k" + random.nextInt(KEYS);
                add(all -> all.window().add(executed(key, 1000)));
            } else if (kind < 8) {
                String producer = "p" + random.nextInt(5);
                long number = expected.highest(producer) + 1;
                add(all -> all.deliveries().take(producer, number));
            } else if (kind < 9) {
                add(TakenCommands::forgetAnswers);
            }
            while (!underWay.isEmpty() && random.nextInt(3) > 0) {
                underWay.remove().accept(stored);
            }
            if (underWay.isEmpty()) {
                layer = null;
            }
        }

        private void add(Consumer<TakenCommands> note) {
            TakenCommands present = layer == null ? stored.layer() : layer;
            layer = present;
            note.accept(present);
            underWay.add(note);
            note.accept(expected);
        }
    }

    private static void assertSame(TakenCommands expected, TakenCommands found, String where) {
        for (int i = 0; i < KEYS; i++) {
            String key = "k" + i;
            assertEquals(expected.judge(key, 1000, PRINT), found.judge(key, 1000, PRINT), where);
            assertArrayEquals(expected.answer(key), found.answer(key), where);
        }
        for (int i = 0; i < 6; i++) {
            String producer = "p" + i;
            assertEquals(expected.highest(producer), found.highest(producer), where);
            for (long number = 1; number <= expected.highest(producer) + 2; number++) {
                var next = new DeliveryNumber(producer, number, number - 1);
                assertEquals(expected.judge(next), found.judge(next), where);
            }
        }
    }

    @Test
    @DisplayName("knows what a copy with the same commands knows")
    void equalsACopy() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            var history = new History(seed);
            int layers = 0;
            for (int i = 0; i < STEPS; i++) {
                history.step();
                String where = "seed " + seed + ", step " + i;
                TakenCommands layer = history.layer;
                assertSame(history.expected, layer == null ? history.stored : layer, where);
                if (layer != null) {
                    layers++;
                    assertSame(history.expected, layer.copy(), where);
                }
            }
            assertTrue(layers > 0, "seed " + seed + " has no layer");
        }
    }

    @Test
    @DisplayName("takes no command twice, however small the window is")
    void smallWindow() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            var stored = new TakenCommands(new Deduplication(1 + random.nextInt(6), 2048));
            TakenCommands layer = stored.layer();
            Deque<Executed> underWay = new ArrayDeque<>();
            Map<String, Integer> effects = new HashMap<>();
            List<Long> made = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
                made.add(1000L + i + random.nextInt(20));
                int number = random.nextBoolean() ? i : random.nextInt(made.size());
                String key = "c" + number;
                if (layer.judge(key, made.get(number), PRINT) == CommandStatus.NEW) {
                    Executed taken = executed(key, made.get(number));
                    layer.window().add(taken);
                    underWay.add(taken);
                    effects.merge(key, 1, Integer::sum);
                }
                while (underWay.size() > 12 || (!underWay.isEmpty() && random.nextInt(3) == 0)) {
                    stored.window().add(underWay.remove());
                }
                if (underWay.isEmpty()) {
                    layer = stored.layer();
                }
            }
            assertTrue(effects.values().stream().allMatch(times -> times == 1), "seed " + seed + ": " + effects);
        }
    }

    @Test
    @DisplayName("forgets the answers of the commands below it, and leaves those as they are")
    void forgets() {
        var stored = new TakenCommands(LARGE);
        stored.window().add(executed("a", 1));
        TakenCommands layer = stored.layer();
        layer.forgetAnswers();
        layer.window().add(executed("b", 2));
        assertNull(layer.answer("a"));
        assertArrayEquals("b".getBytes(StandardCharsets.UTF_8), layer.answer("b"));
        assertArrayEquals("a".getBytes(StandardCharsets.UTF_8), stored.answer("a"));
        assertEquals(CommandStatus.REPEATED, layer.judge("a", 1, PRINT));
        assertNull(layer.copy().answer("a"));
    }
}
