package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.junit.jupiter.api.Test;

class StockProtocolsTest {
    @Test
    void namesThoseThatHaveAMendedForm() {
        assertEquals(
                List.of(
                        SuspectCheck.class.getName() + " for VERIFY_SUSPECT2",
                        HeartbeatWatch.class.getName() + " for FD_ALL3"),
                StockProtocols.in(List.of(new UNICAST3(), new VERIFY_SUSPECT2(), new FD_ALL3(), new PeerSearch())));
    }

    @Test
    void namesATransportWhoseSenderMayTakeAProcessor() {
        var looping = new TCP();
        looping.setBundler(new PerDestinationBundler());
        assertTrue(StockProtocols.mayBusyLoop(List.of(new UNICAST3(), looping)));
        var quiet = new TCP();
        quiet.setBundler(new QuietBundler());
        assertFalse(StockProtocols.mayBusyLoop(List.of(new UNICAST3(), quiet)));
    }

    @Test
    void saysNothingOfTheMended() {
        var mended = List.of(
                new SuspectCheck(),
                new HeartbeatWatch(),
                new SocketWatch(),
                new PeerSearch(),
                new UnicastCredits(),
                new MulticastCredits());
        assertEquals(List.of(), StockProtocols.in(List.copyOf(mended)));
        assertEquals(1, StockProtocols.in(List.of(new TCPPING())).size());
    }
}
