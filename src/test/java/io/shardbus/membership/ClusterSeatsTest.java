package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.control.Seats;
import io.shardbus.options.ClusterOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a port says of the process that should hold its seat. The own seat has a port that refuses: it is not asked. */
class ClusterSeatsTest {
    private static final OwnPlace OWN = new OwnPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    private static final String SELF = "127.0.0.1:1";

    /** A port of this host at which no process listens. */
    private static String refusing() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static Set<String> occupied(Predicate<InetAddress> refusesRightly, Set<String> names) {
        return new ClusterSeats(Seats.listed(SELF, names), OWN, List.of(), refusesRightly).occupied();
    }

    @Test
    @DisplayName("a refusing loopback port proves nothing where the cluster's processes are not bound to the loopback")
    void aRefusingLoopbackPortProvesNothingOffTheLoopback() throws IOException {
        OwnPlace own = new OwnPlace(new InetSocketAddress("10.0.0.1", 7900));
        Set<String> names = Set.of("10.0.0.1:7900", refusing());
        Set<String> occupied =
                new ClusterSeats(Seats.listed("10.0.0.1:7900", names), own, List.of(), address -> true).occupied();
        assertEquals(names, occupied, "a host resolves its own name to the loopback; its processes listen elsewhere");
    }

    @Test
    void aPortThatRefusesIsAVacantSeatWhereThatIsAProof() throws IOException {
        String refusing = refusing();
        Set<String> names = Set.of(SELF, refusing);
        assertEquals(Set.of(SELF), occupied(address -> true, names));
        assertEquals(names, occupied(address -> false, names));
    }

    @Test
    void aPortThatAcceptsIsAHeldSeat() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Set<String> names = Set.of(SELF, "127.0.0.1:" + listening.getLocalPort());
            assertEquals(names, occupied(address -> true, names));
        }
    }

    @Test
    void aNameWithoutAnAddressSaysNothing() {
        Set<String> names = Set.of(SELF, "no.such.host.invalid:7800");
        assertEquals(names, occupied(address -> true, names));
    }

    @Test
    void refusalsOfOtherHostsCountByOptionOnly() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        ClusterOptions options = new ClusterOptions();
        assertEquals(
                List.of(true, false),
                List.of(ClusterSeats.provesVacancy(options, here), ClusterSeats.provesVacancy(options, elsewhere)));
        options.setTrustRefusedPorts(true);
        assertEquals(
                List.of(true, true),
                List.of(ClusterSeats.provesVacancy(options, here), ClusterSeats.provesVacancy(options, elsewhere)));
    }
}
