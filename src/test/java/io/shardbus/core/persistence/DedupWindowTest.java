package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.persistence.DedupWindow.CommandStatus;
import io.shardbus.core.persistence.DedupWindow.Executed;
import io.shardbus.core.persistence.DedupWindow.Fingerprint;
import io.shardbus.model.Deduplication;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The window of identified commands")
class DedupWindowTest {
    private static final int HISTORIES = 300;
    private static final int COMMANDS = 600;

    private final DedupWindow window = new DedupWindow(Deduplication.DEFAULT);

    private static Fingerprint print(long hash) {
        return new Fingerprint(0, hash);
    }

    private static Executed executed(String key, long createdAt, int answerBytes) {
        return new Executed(key, createdAt, print(key.hashCode()), new byte[answerBytes]);
    }

    private CommandStatus judge(String key, long createdAt) {
        return window.judge(key, createdAt, print(key.hashCode()));
    }

    @Test
    @DisplayName("knows a command by its key, and another command with that key by its fingerprint")
    void judges() {
        assertEquals(CommandStatus.NEW, judge("a", 5));
        window.add(new Executed("a", 5, print("a".hashCode()), new byte[] {1, 2}));
        assertEquals(CommandStatus.REPEATED, judge("a", 5));
        assertEquals(CommandStatus.REUSED, window.judge("a", 5, print(77)));
        assertEquals(CommandStatus.NEW, judge("b", 5));
        assertArrayEquals(new byte[] {1, 2}, window.executed("a").answer());
    }

    @Test
    @DisplayName("takes a command for a repetition whose bytes have another form, for they may say the same")
    void forms() {
        window.add(new Executed("a", 5, new Fingerprint(7, -99), null));
        assertEquals(CommandStatus.REPEATED, window.judge("a", 5, new Fingerprint(7, -99)));
        assertEquals(CommandStatus.REUSED, window.judge("a", 5, new Fingerprint(7, -98)));
        assertEquals(CommandStatus.REPEATED, window.judge("a", 5, new Fingerprint(8, -98)));
        assertEquals(CommandStatus.REPEATED, window.judge("a", 5, new Fingerprint(0xffff, 1)));
        window.add(new Executed("b", 5, new Fingerprint(Fingerprint.NO_FORM, 1), null));
        assertEquals(CommandStatus.REPEATED, window.judge("b", 5, new Fingerprint(7, 2)));
        assertEquals(CommandStatus.REPEATED, window.judge("b", 5, new Fingerprint(Fingerprint.NO_FORM, 2)));
    }

    @Test
    @DisplayName("keeps 128 ids; what has left it, or may have, is too old")
    void leaves() {
        for (int i = 0; i < Deduplication.DEFAULT.commands(); i++) {
            window.add(executed("k" + i, 1000 + i, 0));
        }
        assertEquals(DedupWindow.NO_FLOOR, window.floor());
        assertEquals(CommandStatus.NEW, judge("early", 1), "nothing has left the window");
        window.add(executed("next", 2000, 0));
        assertEquals(1000, window.floor());
        assertEquals(CommandStatus.TOO_OLD, judge("k0", 1000));
        assertEquals(CommandStatus.TOO_OLD, judge("early", 1));
        assertEquals(CommandStatus.REPEATED, judge("k1", 1001));
        assertEquals(CommandStatus.NEW, judge("new", 1001));
    }

    @Test
    @DisplayName("keeps as many ids and bytes as it is told to, also when it is read and copied")
    void otherBounds() {
        DedupWindow small = new DedupWindow(new Deduplication(2, 2048));
        small.add(executed("a", 1, 0));
        small.add(executed("b", 2, 0));
        small.copy().add(executed("c", 3, 0));
        assertEquals(CommandStatus.REPEATED, small.judge("a", 1, print("a".hashCode())));
        DedupWindow copy = small.copy();
        copy.add(executed("c", 3, 0));
        assertEquals(CommandStatus.TOO_OLD, copy.judge("a", 1, print("a".hashCode())));
        DedupWindow bytes = new DedupWindow(new Deduplication(100, 2048));
        bytes.add(executed("a", 1, 1000));
        bytes.add(executed("b", 2, 1000));
        assertEquals(CommandStatus.TOO_OLD, bytes.judge("a", 1, print("a".hashCode())));
        DedupWindow large = new DedupWindow(new Deduplication(1_000, 1024 * 1024));
        for (int i = 0; i < 1_000; i++) {
            large.add(executed("k" + i, 10 + i, 500));
        }
        assertEquals(DedupWindow.NO_FLOOR, large.floor());
        DedupWindow shrunk = new DedupWindow(new Deduplication(10, 1024 * 1024), large.floor(), large.executed());
        assertEquals(CommandStatus.TOO_OLD, shrunk.judge("k989", 999, print("k989".hashCode())));
        assertEquals(CommandStatus.REPEATED, shrunk.judge("k990", 1000, print("k990".hashCode())));
    }

    @Test
    @DisplayName("keeps answers of 1 KiB, and 16 KiB of them")
    void bounds() {
        window.add(executed("large", 1, DedupWindow.LONGEST_ANSWER + 1));
        assertNull(window.executed("large").answer());
        assertEquals(CommandStatus.REPEATED, judge("large", 1));
        window.add(executed("fits", 2, DedupWindow.LONGEST_ANSWER));
        assertNotNull(window.executed("fits").answer());
        for (int i = 0; i < 40; i++) {
            window.add(executed("k" + i, 10 + i, DedupWindow.LONGEST_ANSWER));
            assertTrue(window.bytes() <= Deduplication.DEFAULT.bytes());
        }
        assertEquals(15, window.executed().size());
        assertEquals(CommandStatus.TOO_OLD, judge("fits", 2));
    }

    @Test
    @DisplayName("is the same when it was stored, and a copy is another one")
    void copies() {
        for (int i = 0; i < 200; i++) {
            window.add(executed("k" + i, i, 3));
        }
        DedupWindow copy = window.copy();
        copy.add(executed("only there", 999, 0));
        assertEquals(CommandStatus.NEW, judge("only there", 999));
        assertEquals(window.floor() + 1, copy.floor());
        assertFalse(copy.isEmpty());
        assertTrue(new DedupWindow(Deduplication.DEFAULT).isEmpty());
    }

    /** Senders repeat commands of any age in any order, and crashes bring back what was stored. */
    @Test
    @DisplayName("in 300 random histories no command is executed twice")
    void neverTwice() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            history(new Random(seed), seed, random -> Deduplication.DEFAULT);
        }
    }

    /** Nodes may have other settings, and an entity goes from one to the other. */
    @Test
    @DisplayName("in 300 random histories under changing bounds no command is executed twice")
    void neverTwiceUnderChangingBounds() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            history(
                    new Random(seed),
                    seed,
                    random -> new Deduplication(1 + random.nextInt(200), 2048 + random.nextInt(30_000)));
        }
    }

    private static void history(Random random, int seed, Function<Random, Deduplication> bounds) {
        DedupWindow present = new DedupWindow(bounds.apply(random));
        Map<String, Integer> effects = new HashMap<>();
        List<Long> made = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < COMMANDS; i++) {
            if (made.isEmpty() || random.nextInt(3) > 0) {
                made.add(1000L + i + random.nextInt(50));
            }
            int number = random.nextBoolean() ? made.size() - 1 : random.nextInt(made.size());
            String key = "c" + number;
            CommandStatus status = present.judge(key, made.get(number), print(number));
            if (status == CommandStatus.NEW) {
                present.add(new Executed(key, made.get(number), print(number), new byte[random.nextInt(1500)]));
                effects.merge(key, 1, Integer::sum);
            } else if (status == CommandStatus.TOO_OLD) {
                refused++;
            }
            if (random.nextInt(20) == 0) {
                present = new DedupWindow(bounds.apply(random), present.floor(), present.executed());
            }
        }
        assertTrue(effects.values().stream().allMatch(times -> times == 1), "seed " + seed + ": " + effects);
        assertTrue(refused > 0, "seed " + seed + " never came behind the window");
    }
}
