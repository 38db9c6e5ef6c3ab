package io.shardbus.core.remember;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RememberedIdsTest {
    private final RememberedIds ids = new RememberedIds();

    @Test
    @DisplayName("REM-01: a new table has no ids and size 0")
    void isEmptyAtFirst() {
        assertEquals(0, ids.size());
        assertNull(ids.state("1"));
    }

    @Test
    @DisplayName("REM-02: loaded ids count in the size, none is active, each is remembered and not yet created")
    void countsWhatWasLoaded() {
        List.of("1", "2", "3").forEach(id -> ids.become(id, IdState.REMEMBERED));
        assertEquals(3, ids.size());
        assertEquals(0, ids.count(IdState.ACTIVE));
        assertEquals(3, ids.count(IdState.REMEMBERED));
    }

    @Test
    @DisplayName(
            "REM-03: a start is pending until it is active; a stop is pending only after a life, and removal clears it")
    void aStartAndAStopArePending() {
        ids.become("1", IdState.ADDING);
        assertEquals(1, ids.count(IdState.ADDING));
        ids.become("1", IdState.REMEMBERED);
        ids.become("1", IdState.ACTIVE);
        assertEquals(0, ids.count(IdState.ADDING));
        assertThrows(IllegalStateException.class, () -> ids.become("2", IdState.REMOVING));
        ids.become("1", IdState.REMOVING);
        assertEquals(1, ids.count(IdState.REMOVING));
        ids.remove("1");
        assertEquals(0, ids.count(IdState.REMOVING));
    }

    @Test
    @DisplayName("REM-04: a full cycle leaves no state")
    void aFullCycleLeavesNothing() {
        for (IdState state : List.of(
                IdState.ADDING,
                IdState.REMEMBERED,
                IdState.ACTIVE,
                IdState.RESTARTING,
                IdState.ACTIVE,
                IdState.REMOVING)) {
            ids.become("1", state);
        }
        ids.remove("1");
        assertEquals(0, ids.size());
        assertNull(ids.state("1"));
    }

    @Test
    void whatIsActiveIsNotForgottenWithoutAWrite() {
        ids.become("1", IdState.REMEMBERED);
        ids.become("1", IdState.ACTIVE);
        assertThrows(IllegalStateException.class, () -> ids.remove("1"));
    }
}
