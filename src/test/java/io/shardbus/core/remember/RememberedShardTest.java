package io.shardbus.core.remember;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RememberedShardTest {
    private final RememberedFixture world = new RememberedFixture();

    private static String[] ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toArray(String[]::new);
    }

    @Test
    void aFirstMessageWaitsUntilItsStartIsStored() {
        RememberedFixture.Shard shard = world.opened(1);
        shard.send("1");
        assertEquals(List.of("store +[1] -[]"), world.flush());
        shard.send("1");
        assertEquals(List.of(), world.flush());
        world.lane.stored(world.key());
        assertEquals(List.of("message 1", "handles 1", "handles 1"), world.flush());
        assertEquals(0, world.lane.waiting());
    }

    @Test
    void whatChangesDuringAWriteGoesIntoTheNext() {
        RememberedFixture.Shard shard = world.opened(1);
        shard.send("1");
        world.flush();
        shard.send("2");
        shard.send("3");
        assertEquals(List.of(), world.flush());
        world.lane.stored(world.key());
        assertEquals(List.of("message 1", "handles 1", "store +[2, 3] -[]"), world.flush());
    }

    @Test
    void messagesWaitForTheFirstRead() {
        RememberedFixture.Shard shard = world.new Shard(1);
        shard.send("1");
        shard.send("2");
        assertEquals(List.of("open 1"), world.flush());
        world.lane.opened(world.key(), Set.of("1"));
        assertEquals(List.of("message 1", "handles 1", "store +[2] -[]"), world.flush());
    }

    @Test
    @DisplayName("REM-05: a remembered entity that was passivated is not started again")
    void forgetsWhatWasPutAway() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.tick(1);
        shard.cells.get("1").stop(StopReason.PASSIVATION);
        assertEquals(List.of("store +[] -[1]"), world.flush());
        world.lane.stored(world.key());
        assertEquals(List.of(), world.tick(10_000));
        assertEquals(0, shard.memory.remembered());
        assertEquals(Set.of(), shard.live());
    }

    @Test
    void forgetsAnEntityThatIsAboutToEndForARestart() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.tick(1);
        EntityCell cell = shard.cells.get("1");
        world.slowStops = true;
        cell.restart();
        cell.stop(StopReason.PASSIVATION);
        world.slowStops = false;
        cell.stopped();
        assertEquals(List.of("store +[] -[1]"), world.flush());
        world.lane.stored(world.key());
        assertEquals(List.of(), world.tick(10_000));
        assertEquals(0, shard.memory.remembered());
        assertEquals(Set.of(), shard.live());
    }

    @Test
    @DisplayName("REM-07, REM-08: starts and stops in mixed batches leave exactly what runs")
    void mixesStartsAndStops() {
        RememberedFixture.Shard shard = world.opened(1);
        for (String id : ids(0, 4)) {
            shard.send(id);
        }
        world.flush();
        world.lane.stored(world.key());
        for (String id : ids(0, 4)) {
            shard.cells.get(id).stop(StopReason.PASSIVATION);
            shard.send(Integer.toString(Integer.parseInt(id) + 10));
        }
        world.log.clear();
        assertEquals(List.of("store +[10, 11, 12, 13] -[0, 1, 2, 3]"), world.flush());
        world.lane.stored(world.key());
        assertEquals(4, shard.memory.remembered());
        assertEquals(new TreeSet<>(List.of("10", "11", "12", "13")), shard.live());
    }

    @Test
    @DisplayName("REM-09: a first read that fails is repeated after a pause that doubles")
    void readsAgain() {
        RememberedFixture.Shard shard = world.new Shard(1);
        world.flush();
        world.lane.failed(world.key());
        assertTrue(shard.memory.isTroubled());
        assertEquals(List.of("troubled"), world.tick(49));
        assertEquals(List.of("open 1"), world.tick(50));
        world.lane.failed(world.key());
        assertEquals(List.of(), world.tick(149));
        assertEquals(List.of("open 1"), world.tick(150));
        world.lane.opened(world.key(), Set.of());
        assertEquals(List.of("well"), world.flush());
    }

    @Test
    @DisplayName("REM-10: a start that could not be stored is stored later, and its messages wait")
    void storesAgain() {
        RememberedFixture.Shard shard = world.opened(1);
        shard.send("1");
        world.flush();
        world.lane.failed(world.key());
        shard.send("2");
        assertEquals(List.of("troubled", "store +[1, 2] -[]"), world.tick(50));
        world.lane.stored(world.key());
        assertEquals(List.of("well", "message 1", "handles 1", "message 2", "handles 2"), world.flush());
    }

    @Test
    @DisplayName("REM-11: a put-away entity whose end cannot be stored answers again")
    void startsAgainWhatItCouldNotForget() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.tick(1);
        shard.cells.get("1").stop(StopReason.PASSIVATION);
        world.flush();
        world.lane.failed(world.key());
        shard.send("1");
        assertEquals(List.of("troubled", "store +[1] -[]"), world.tick(51), "the removal may have been stored");
        world.lane.stored(world.key());
        assertEquals(List.of("well", "message 1", "handles 1"), world.flush());
    }

    @Test
    @DisplayName("REM-13: an operation without an answer counts as failed, and its late answer is ignored")
    void ignoresLateAnswers() {
        RememberedFixture.Shard shard = world.opened(1);
        shard.send("1");
        world.flush();
        RememberPort.Key late = world.key();
        assertEquals(List.of(), world.tick(999));
        assertEquals(List.of("troubled"), world.tick(1_000));
        world.lane.stored(late);
        assertEquals(List.of(), world.flush());
        assertEquals(List.of("store +[1] -[]"), world.tick(1_050));
        world.lane.stored(late);
        assertEquals(Set.of(), shard.live());
        world.lane.stored(world.key());
        assertEquals(Set.of("1"), shard.live());
    }

    @Test
    void refusesWhatItHasNoRoomFor() {
        RememberedFixture.Shard shard = world.opened(1, "9");
        for (String id : ids(1, 6)) {
            shard.send(id);
        }
        assertEquals(List.of("refused 5", "store +[1, 2, 3, 4] -[]"), world.flush());
        shard.send("9");
        assertEquals(List.of("message 9", "handles 9"), world.flush(), "what need not wait goes on");
        shard.memory.close();
        assertEquals(0, world.lane.waiting());
    }

    @Test
    @DisplayName("REM-14, REM-18: exactly the ids that now belong to other shards are forgotten once those have them")
    void movesWhatBelongsElsewhere() {
        world.movedFrom = 2;
        RememberedFixture.Shard shard = world.opened(1, "1", "2", "3");
        assertEquals(Set.of("remembered 1", "elsewhere 2", "elsewhere 3"), Set.copyOf(world.tick(1)));
        world.lane.movedAway(1, RememberedFixture.TOKEN, "2", true);
        assertEquals(List.of("store +[] -[2]"), world.flush());
        world.lane.movedAway(1, RememberedFixture.TOKEN, "3", true);
        world.lane.stored(world.key());
        assertEquals(List.of("store +[] -[3]"), world.flush());
        assertEquals(Set.of("1"), shard.live());
    }

    @Test
    @DisplayName("REM-17: start requests that were not acknowledged are sent again after the retry interval")
    void asksAgainForWhatBelongsElsewhere() {
        world.movedFrom = 1;
        world.opened(1, "1", "2", "3");
        assertEquals(3, world.tick(1).size());
        for (String id : ids(1, 4)) {
            world.lane.movedAway(1, RememberedFixture.TOKEN, id, false);
        }
        assertEquals(List.of(), world.tick(2_000));
        assertEquals(Set.of("elsewhere 1", "elsewhere 2", "elsewhere 3"), Set.copyOf(world.tick(2_001)));
    }

    @Test
    void startsNoMoreInATickThanMessagesCanBear() {
        RememberedFixture.Shard shard = world.opened(1, ids(0, 1_000));
        world.tick(1);
        assertEquals(RememberedLane.STARTS_PER_TICK, shard.live().size());
        world.tick(2);
        assertEquals(2 * RememberedLane.STARTS_PER_TICK, shard.live().size());
    }

    @Test
    void anIdWithAMessageNeedNotWaitForItsTurn() {
        world.starts = 0;
        RememberedFixture.Shard shard = world.opened(1, ids(0, 10));
        assertEquals(List.of(), world.tick(1));
        shard.send("7");
        assertEquals(Set.of("7"), shard.live());
    }

    @Test
    @DisplayName("REM-20: the shards of a lane share its pace")
    void shardsShareTheirPace() {
        RememberedFixture.Shard first = world.opened(1, ids(0, 3));
        RememberedFixture.Shard second = world.opened(2);
        second.memory.close();
        world.starts = 2;
        world.tick(1);
        assertEquals(2, first.live().size());
        world.starts = 1;
        world.tick(2);
        assertEquals(3, first.live().size());
    }

    @Test
    void startsAgainAfterAPauseThatDoublesToACap() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.broken = true;
        assertEquals(List.of("remembered 1"), world.tick(0));
        assertEquals(1, shard.memory.restarting());
        assertEquals(List.of(), world.tick(99));
        assertEquals(List.of("restart 1"), world.tick(100));
        assertEquals(List.of(), world.tick(299));
        assertEquals(List.of("restart 1"), world.tick(300));
        assertEquals(List.of("restart 1"), world.tick(700));
        assertEquals(List.of("restart 1"), world.tick(1_500));
        assertEquals(List.of(), world.tick(2_299));
        world.broken = false;
        assertEquals(List.of("restart 1"), world.tick(2_300));
        shard.send("1", "fatal");
        world.flush();
        assertEquals(List.of(), world.tick(3_099));
        assertEquals(List.of("restart 1"), world.tick(3_100));
        world.tick(4_000);
        shard.send("1", "fatal");
        world.flush();
        assertEquals(
                List.of("restart 1"), world.tick(4_100), "it has run for long: a pause as after the first failure");
    }

    @Test
    @DisplayName("REM-24: a message to an entity that waits for its restart starts it at once")
    void aMessageEndsThePause() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.tick(0);
        shard.send("1", "fatal");
        world.flush();
        assertFalse(shard.live().contains("1"));
        shard.send("1");
        assertEquals(List.of("message 1", "handles 1"), world.flush());
        assertEquals(List.of(), world.tick(100));
    }

    @Test
    @DisplayName("REM-25: a message while the removal is being stored: the entity runs in the end")
    void aMessageDuringTheRemoval() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.tick(0);
        shard.cells.get("1").stop(StopReason.PASSIVATION);
        world.flush();
        shard.send("1");
        assertEquals(List.of(), world.flush());
        world.lane.stored(world.key());
        assertEquals(List.of("store +[1] -[]"), world.flush());
        world.lane.stored(world.key());
        assertEquals(List.of("message 1", "handles 1"), world.flush());
        assertEquals(1, shard.memory.remembered());
    }

    @Test
    void aRemovalThatHasNotBegunIsTakenBack() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        world.tick(0);
        shard.cells.get("1").stop(StopReason.PASSIVATION);
        shard.send("1");
        assertEquals(List.of("message 1", "handles 1"), world.flush());
    }

    @Test
    void aNewerTokenEndsTheShard() {
        RememberedFixture.Shard shard = world.opened(1);
        shard.send("1");
        world.flush();
        world.lane.stale(world.key());
        assertEquals(List.of("superseded"), world.tick(1));
        assertEquals(Set.of(), shard.live());
    }

    @Test
    void aShardThatLeavesStartsNothingByItself() {
        RememberedFixture.Shard shard = world.opened(1, "1");
        shard.quiet = true;
        assertEquals(List.of(), world.tick(1));
        shard.quiet = false;
        assertEquals(List.of("remembered 1"), world.tick(2));
    }

    @Test
    void writesAThousandIdsAtMost() {
        PendingChanges changes = new PendingChanges();
        for (String id : ids(0, 1_500)) {
            changes.add(id);
        }
        changes.begin();
        assertEquals(PendingChanges.LARGEST_WRITE, changes.added().size());
        changes.failed();
        changes.stored((id, added) -> {});
        changes.begin();
        assertEquals(PendingChanges.LARGEST_WRITE, changes.added().size());
    }

    @Test
    void aHundredThousandIdsStartInTurn() {
        RememberedFixture.Shard shard = world.opened(1, ids(0, 100_000));
        for (int tick = 1; shard.memory.restarting() == 0 && shard.cells.size() < 100_000 && tick < 1_000; tick++) {
            world.tick(tick);
        }
        assertEquals(100_000, shard.cells.size());
    }
}
