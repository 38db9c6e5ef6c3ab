package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reads of a lane's entities")
class ReadOrderTest {
    private final ReadOrder<String> order = new ReadOrder<>();

    private void add(String kind, int many, boolean isWanted) {
        for (int i = 1; i <= many; i++) {
            order.add(kind + i, isWanted);
        }
    }

    private List<String> taken(int many) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < many && !order.isEmpty(); i++) {
            String next = order.next();
            assertEquals(next, order.take());
            taken.add(next);
        }
        return taken;
    }

    @Test
    @DisplayName("begin with those of entities for which messages wait")
    void wantedFirst() {
        add("idle", 2, false);
        add("wanted", 2, true);
        assertEquals(List.of("wanted1", "wanted2", "idle1", "idle2"), taken(9));
        assertTrue(order.isEmpty());
    }

    @Test
    @DisplayName("are of three such entities at most before the next one of another")
    void fair() {
        add("idle", 2, false);
        add("wanted", 8, true);
        assertEquals(List.of("wanted1", "wanted2", "wanted3", "idle1", "wanted4"), taken(5));
        add("more", 9, true);
        assertEquals(List.of("wanted5", "wanted6", "idle2", "wanted7", "wanted8", "more1", "more2"), taken(7));
    }

    @Test
    @DisplayName("wait no longer than the next one where many of wanted entities have gone before")
    void noDebt() {
        add("wanted", 9, true);
        taken(8);
        add("idle", 2, false);
        add("more", 3, true);
        assertEquals(List.of("idle1", "wanted9", "more1", "more2", "idle2", "more3"), taken(9));
    }

    @Test
    @DisplayName("are hastened by a message that comes, behind those that were wanted before")
    void hastened() {
        add("idle", 3, false);
        add("wanted", 1, true);
        order.hasten("idle3");
        order.hasten("wanted1");
        order.hasten("unknown");
        assertEquals(List.of("wanted1", "idle3", "idle1", "idle2"), taken(9));
    }
}
