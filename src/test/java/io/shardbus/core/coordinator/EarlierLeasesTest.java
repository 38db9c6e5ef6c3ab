package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.PlaceShard;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a reign may give shards away that an earlier one has given to others. */
class EarlierLeasesTest extends CoordinatorFixture {
    @Test
    void freesTheShardsOfADeadNodeWithTheNextConfirmation() {
        homeAtA();
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        now += 10;
        assertEquals(List.of(), step(new CoordinatorEvent.NodeProvenDead(A)));
        assertTrue(tick().contains(new CoordinatorCommand.ConfirmTerm()));
        now += 10;
        assertTrue(confirm().contains(new PlaceShard(1, A)));
    }

    @Test
    void noProofCountsAgainstAMember() {
        homeAtA();
        step(new CoordinatorEvent.NodeProvenDead(A));
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        step(new CoordinatorEvent.NodeProvenDead(A));
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B, C)));
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        now += 10;
        confirm();
        assertEquals(2, coordinator.inspect(now).regions().size(), "A keeps its shards until its lease has run out");
    }

    @Test
    void opensWhenAllWhoMayHoldLeasesHaveRegisteredOrAreDead() {
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B)));
        step(new CoordinatorEvent.PredecessorAbdicated(Set.of(A, B, C)));
        register(A, 1);
        register(B, 1);
        beat(A, 1);
        from(A, new GetShardHomes(1, List.of(1)));
        now = 10;
        step(new CoordinatorEvent.NodeProvenDead(C));
        assertFalse(coordinator.isOpen());
        assertTrue(confirm().contains(new PlaceShard(1, A)));
        assertTrue(coordinator.isOpen());
    }

    @Test
    @DisplayName("the reign says for how long earlier leases may last at most, until it is open")
    void saysWhenItOpens() {
        register(A, 1);
        assertEquals(OPEN, coordinator.opensIn(now));
        now = 400;
        assertEquals(OPEN - 400, coordinator.opensIn(now));
        now = OPEN;
        assertEquals(1, coordinator.opensIn(now), "until the term is confirmed");
        confirm();
        assertEquals(0, coordinator.opensIn(now));
    }

    @Test
    void opensWhenTheLastWhoMayHoldALeaseHasLeftAndTheTermWasConfirmedSince() {
        step(new CoordinatorEvent.PredecessorAbdicated(Set.of(A, C)));
        register(A, 1);
        now = 10;
        step(new CoordinatorEvent.NodeLeft(C, now));
        assertFalse(coordinator.isOpen(), "a newer term may have begun while C was home of shards");
        assertEquals(List.of(new CoordinatorCommand.ConfirmTerm()), wishes());
        confirm();
        assertTrue(coordinator.isOpen());
    }

    @Test
    @DisplayName("the wait of an own earlier reign that did not open counts: only leases that it"
            + " granted are awaited besides")
    void goesOnWithTheWaitOfItsOwnEarlierReign() {
        step(new CoordinatorEvent.PredecessorAbdicated(new EndedReign(Set.of(A), 300)));
        register(A, 1);
        now = 299;
        confirm();
        assertFalse(coordinator.isOpen(), "others may hold leases of terms before");
        now = 300;
        assertEquals(List.of(new CoordinatorCommand.ConfirmTerm()), wishes());
        confirm();
        assertTrue(coordinator.isOpen());
    }

    @Test
    void waitsForWhatItsOwnEarlierReignHasGranted() {
        step(new CoordinatorEvent.PredecessorAbdicated(new EndedReign(Set.of(A, B), 300)));
        register(A, 1);
        now = 400;
        confirm();
        assertFalse(coordinator.isOpen());
        register(B, 1);
        assertTrue(coordinator.isOpen());
    }

    @Test
    void leavesToTheNextReignWhatItKnowsOfEarlierLeases() {
        register(A, 1);
        assertEquals(new EndedReign(Set.of(A), OPEN), coordinator.ended());
        step(new CoordinatorEvent.PredecessorAbdicated(new EndedReign(Set.of(B), 300)));
        assertEquals(new EndedReign(Set.of(A, B), 300), coordinator.ended());
        now = 300;
        confirm();
        register(B, 1);
        assertEquals(new EndedReign(Set.of(A, B)), coordinator.ended());
    }

    @Test
    void opensAtOnceWhenWhoMayHoldALeaseHasLeftBeforeTheReignBegan() {
        step(new CoordinatorEvent.NodeLeft(C, -10));
        step(new CoordinatorEvent.PredecessorAbdicated(Set.of(A, C)));
        register(A, 1);
        assertTrue(coordinator.isOpen());
    }
}
