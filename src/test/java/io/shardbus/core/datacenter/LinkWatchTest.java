package io.shardbus.core.datacenter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.datacenter.LinkWatch.Command;
import io.shardbus.core.datacenter.LinkWatch.Command.Announce;
import io.shardbus.core.datacenter.LinkWatch.Command.Connect;
import io.shardbus.core.datacenter.LinkWatch.Command.Drop;
import io.shardbus.core.datacenter.LinkWatch.Command.Ping;
import io.shardbus.model.Reachability;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinkWatchTest {
    private static final long START = -700;

    private final LinkWatch watch = new LinkWatch(new LinkWatch.Times(100, 300), 2, START);

    private List<Command> tick(long after) {
        return watch.tick(START + after);
    }

    private List<Command> connected(long attempt, long after) {
        return watch.connected(attempt, START + after);
    }

    private List<Command> ended(long attempt, long after) {
        return watch.ended(attempt, START + after);
    }

    @Test
    void takesTurnsAmongTheAddressesUntilOneAnswers() {
        assertEquals(List.of(new Connect(1, 0)), tick(0));
        assertEquals(List.of(), ended(1, 10));
        assertEquals(List.of(), tick(50));
        assertEquals(List.of(new Connect(2, 1)), tick(100));
        assertEquals(List.of(), ended(2, 110));
        assertEquals(List.of(new Connect(3, 0)), tick(200));
        assertEquals(Reachability.UNKNOWN, watch.reachability());
        assertEquals(List.of(new Announce(true)), connected(3, 210));
        assertEquals(Reachability.REACHABLE, watch.reachability());
        assertEquals(List.of(new Ping(3)), tick(300));
    }

    @Test
    @DisplayName("DC-06 one announcement when nothing is heard, one when something is again")
    void announcesOnceThatItIsUnreachableAndOnceThatItIsBack() {
        tick(0);
        connected(1, 0);
        watch.heard(1, START + 90);
        assertEquals(List.of(new Ping(1)), tick(389));
        assertEquals(List.of(new Drop(1), new Announce(false), new Connect(2, 1)), tick(390));
        assertEquals(Reachability.UNREACHABLE, watch.reachability());
        assertEquals(List.of(), tick(500));
        assertEquals(List.of(new Drop(2), new Connect(3, 0)), tick(690));
        assertEquals(List.of(new Announce(true)), connected(3, 700));
        assertEquals(List.of(new Ping(3)), tick(800));
    }

    @Test
    void anAddressThatHangsDoesNotMakeTheDataCenterUnreachable() {
        tick(0);
        assertEquals(List.of(), tick(149));
        assertEquals(List.of(new Drop(1), new Connect(2, 1)), tick(150));
        assertEquals(List.of(new Announce(true)), connected(2, 160));
        assertEquals(List.of(new Connect(3, 0)), ended(2, 200));
        assertEquals(List.of(new Drop(3), new Connect(4, 1)), tick(350));
        assertEquals(List.of(), connected(4, 360));
        assertEquals(Reachability.REACHABLE, watch.reachability());
    }

    @Test
    void whereAllAddressesHangTheyGoOnTakingTurns() {
        tick(0);
        assertEquals(List.of(new Drop(1), new Connect(2, 1)), tick(150));
        assertEquals(List.of(new Drop(2), new Announce(false), new Connect(3, 0)), tick(300));
        assertEquals(List.of(), ended(3, 310));
        assertEquals(List.of(new Connect(4, 1)), tick(400));
    }

    @Test
    void theOnlyAddressMayTakeTheWholeTime() {
        LinkWatch one = new LinkWatch(new LinkWatch.Times(100, 300), 1, START);
        assertEquals(List.of(new Connect(1, 0)), one.tick(START));
        assertEquals(List.of(), one.tick(START + 299));
        assertEquals(List.of(new Drop(1), new Announce(false), new Connect(2, 0)), one.tick(START + 300));
    }

    @Test
    @DisplayName("DC-07 a connection that ends is replaced at once, by another address, without an announcement")
    void replacesAConnectionThatEnds() {
        tick(0);
        connected(1, 0);
        assertEquals(List.of(new Connect(2, 1)), ended(1, 50));
        assertEquals(List.of(), connected(2, 60));
        assertEquals(Reachability.REACHABLE, watch.reachability());
    }

    @Test
    void oneThatGreetsAndClosesIsCalledOnceInAHeartbeat() {
        tick(0);
        connected(1, 0);
        assertEquals(List.of(new Connect(2, 1)), ended(1, 50));
        connected(2, 60);
        assertEquals(List.of(), ended(2, 70));
        assertEquals(List.of(), tick(100));
        assertEquals(List.of(new Connect(3, 0)), tick(150));
        connected(3, 160);
        assertEquals(List.of(new Connect(4, 1)), ended(3, 170));
    }

    @Test
    void whatIsSaidOfAnEarlierConnectionDoesNotCount() {
        tick(0);
        connected(1, 0);
        ended(1, 10);
        assertEquals(List.of(), ended(1, 20));
        assertEquals(List.of(new Drop(1)), connected(1, 20));
        watch.heard(1, START + 290);
        assertEquals(List.of(new Drop(2), new Announce(false), new Connect(3, 0)), tick(310));
    }
}
