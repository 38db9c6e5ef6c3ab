package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FailureCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The decided commands of an entity")
class CommitWindowTest {
    private final CommitWindow window = new CommitWindow(3);
    private final List<String> told = new ArrayList<>();

    private final class Command extends CommitWindow.Entry {
        private final String name;

        Command(String name) {
            this.name = name;
        }

        @Override
        protected void stored() {
            told.add(name);
            if (name.startsWith("bad")) {
                throw new IllegalStateException(name);
            }
        }

        @Override
        protected void failed(FailureCode code, String reason) {
            told.add(name + " " + code);
        }
    }

    private Command commit(String name) {
        Command command = new Command(name);
        assertEquals(!window.isBroken(), window.addCommit(command));
        return command;
    }

    private void read(String name) {
        window.addRead(new Command(name));
    }

    @Test
    @DisplayName("are told in their order, a read when what is before it is stored")
    void order() {
        Command first = commit("1");
        read("r");
        Command second = commit("2");
        assertTrue(window.isFull());
        window.stored(second);
        assertEquals(List.of(), told);
        window.stored(first);
        assertEquals(List.of("1", "r", "2"), told);
        assertTrue(window.isEmpty());
        read("s");
        assertEquals(List.of("1", "r", "2", "s"), told, "nothing is under way");
    }

    @Test
    @DisplayName("are not at rest while one is told, so that what comes then is told behind it")
    void atRest() {
        List<Boolean> atRest = new ArrayList<>();
        window.addRead(new CommitWindow.Entry() {
            @Override
            protected void stored() {
                atRest.add(window.isAtRest());
                read("sent by the first");
                told.add("first");
            }

            @Override
            protected void failed(FailureCode code, String reason) {
                throw new AssertionError(code);
            }
        });
        assertEquals(List.of(false), atRest);
        assertEquals(List.of("first", "sent by the first"), told);
        assertTrue(window.isAtRest());
    }

    @Test
    @DisplayName("fail behind one that is not stored, each with its own outcome, and reads as not executed")
    void failure() {
        Command first = commit("1");
        read("r");
        Command second = commit("2");
        window.failed(first, FailureCode.OUTCOME_UNKNOWN, "lost");
        assertEquals(List.of("1 OUTCOME_UNKNOWN", "r STORE_UNAVAILABLE"), told);
        assertTrue(window.isBroken());
        commit("3");
        window.failed(second, FailureCode.SUPERSEDED, "another home");
        assertEquals("2 SUPERSEDED", told.get(2));
        assertEquals("3 STORE_UNAVAILABLE", told.get(3), "it is not sent");
    }

    @Test
    @DisplayName("before one that is refused at once are stored all the same")
    void refusedAtOnce() {
        Command first = commit("1");
        read("r");
        Command second = commit("2");
        window.failed(second, FailureCode.STORE_UNAVAILABLE, "too much waits");
        assertEquals(List.of(), told);
        window.stored(first);
        assertEquals(List.of("1", "r", "2 STORE_UNAVAILABLE"), told);
    }

    @Test
    @DisplayName("go on when the state was read anew, and not while one of the former state is unanswered")
    void renewed() {
        Command first = commit("1");
        Command second = commit("2");
        window.failed(first, FailureCode.SUPERSEDED, "another home");
        read("r");
        assertThrows(IllegalStateException.class, window::renew);
        window.failed(second, FailureCode.SUPERSEDED, "another home");
        assertEquals("r SUPERSEDED", told.get(2));
        window.renew();
        assertFalse(window.isBroken());
        window.stored(commit("3"));
        read("s");
        assertEquals(List.of("3", "s"), told.subList(3, 5));
    }

    @Test
    @DisplayName("are told although one before them throws")
    void throwing() {
        Command first = commit("bad");
        read("r");
        assertThrows(IllegalStateException.class, () -> window.stored(first));
        assertEquals(List.of("bad", "r"), told);
        assertTrue(window.isEmpty());
    }

    @Test
    @DisplayName("2,000 random histories: in order, none stored behind a failed one, each told once")
    void randomHistories() {
        for (long seed = 0; seed < 2_000; seed++) {
            history(new Random(seed), seed);
        }
    }

    private static void history(Random dice, long seed) {
        CommitWindow window = new CommitWindow(1 + dice.nextInt(8));
        List<CommitWindow.Entry> underWay = new ArrayList<>();
        List<Integer> told = new ArrayList<>();
        int[] failed = {0};
        int added = 0;
        for (int step = 0; step < 60; step++) {
            int number = added;
            var entry = new CommitWindow.Entry() {
                @Override
                protected void stored() {
                    told.add(number);
                    assertEquals(0, failed[0], () -> "seed " + seed + ": " + number + " is stored behind a failed one");
                }

                @Override
                protected void failed(FailureCode code, String reason) {
                    told.add(number);
                    failed[0]++;
                }
            };
            if (!window.isFull() && dice.nextBoolean()) {
                added++;
                if (dice.nextInt(3) == 0) {
                    window.addRead(entry);
                } else if (window.addCommit(entry)) {
                    underWay.add(entry);
                }
            } else if (!underWay.isEmpty()) {
                boolean fails = window.isBroken() || dice.nextInt(12) == 0;
                CommitWindow.Entry next = underWay.remove(0);
                if (fails) {
                    window.failed(next, FailureCode.OUTCOME_UNKNOWN, "as wanted");
                } else {
                    window.stored(next);
                }
            }
            if (window.isEmpty() && window.isBroken()) {
                window.renew();
                failed[0] = 0;
            }
        }
        for (int i = 0; i < told.size(); i++) {
            assertEquals(i, told.get(i), "seed " + seed);
        }
    }
}
