package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Seats;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.Peer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeatPlanTest {
    private static OwnPlace at(String host, int port) {
        return new OwnPlace(new InetSocketAddress(host, port));
    }

    private static SeatPlan plan(String bindAddress, String... peers) {
        return SeatPlan.of(new ClusterOptions().setBindAddress(bindAddress).setPeers(List.of(peers)), null, null);
    }

    @Test
    void nodesThatEachListTheOthersHaveTheSameSeats() {
        Seats first = plan("10.0.0.1", "10.0.0.2", "10.0.0.3")
                .look(at("10.0.0.1", 7800), OwnPlace::resolve)
                .seats();
        Seats second = plan("10.0.0.2", "10.0.0.1:7800", "10.0.0.3")
                .look(at("10.0.0.2", 7800), OwnPlace::resolve)
                .seats();
        Seats third = plan("10.0.0.3", "10.0.0.1", "10.0.0.2", "10.0.0.3")
                .look(at("10.0.0.3", 7800), OwnPlace::resolve)
                .seats();
        assertEquals(Set.of("10.0.0.1:7800", "10.0.0.2:7800", "10.0.0.3:7800"), first.names());
        assertEquals(first.names(), second.names());
        assertEquals(first.names(), third.names());
        assertEquals("10.0.0.2:7800", second.own());
    }

    @Test
    void aListOfSeatsNamesExactlyThese() {
        ClusterOptions options = new ClusterOptions()
                .setBindAddress("10.0.0.4")
                .setPeers(List.of("10.0.0.1"))
                .setSeats(List.of("10.0.0.1", "10.0.0.2"));
        Seats guest = SeatPlan.of(options, null, null)
                .look(at("10.0.0.4", 7800), OwnPlace::resolve)
                .seats();
        assertEquals(Set.of("10.0.0.1:7800", "10.0.0.2:7800"), guest.names());
        assertEquals("", guest.own());
    }

    @Test
    void offTheLoopbackASeatMustBeNamed() {
        var refusal = assertThrows(IllegalArgumentException.class, () -> plan("10.0.0.1"));
        assertTrue(refusal.getMessage().startsWith("seats: not set"), refusal::getMessage);
    }

    private static boolean isAt(String seat) {
        Peer peer = Peer.parse(seat);
        return at("10.0.0.1", 7800).isAt(peer, OwnPlace.resolve(peer));
    }

    @Test
    void theOwnNameOfAHostMayLeadToItsLoopback() {
        assertTrue(isAt("10.0.0.1:7800"));
        assertFalse(isAt("10.0.0.1:7801"));
        assertFalse(isAt("10.0.0.2:7800"));
        assertFalse(isAt("127.0.0.1:7800"), "an address, not a name");
        assertFalse(isAt("no.such.host.invalid:7800"));
    }

    private static List<String> names(SeatPlan plan, String cluster, OwnPlace own) {
        return List.copyOf(plan.namesOnHost(cluster, own).keySet());
    }

    @Test
    void processesOfOneHostMeetByClusterAndAddresses() {
        assertEquals(
                Seats.Kind.HOST,
                plan("127.0.0.1", "127.0.0.1:7802")
                        .look(at("127.0.0.1", 7801), OwnPlace::resolve)
                        .seats()
                        .kind());
        List<String> usual = names(plan("127.0.0.1", "127.0.0.1:7802"), "a", at("127.0.0.1", 7801));
        assertEquals(usual, names(plan("127.0.0.1"), "a", at("127.0.0.1", 7809)));
        assertNotEquals(usual, names(plan("127.0.0.1"), "b", at("127.0.0.1", 7809)));
        List<String> first = names(plan("127.9.0.1", "127.9.0.1", "127.9.0.2"), "a", at("127.9.0.1", 7800));
        List<String> second = names(plan("127.9.0.2", "127.9.0.1"), "a", at("127.9.0.2", 7800));
        assertTrue(second.contains(first.get(0)), second::toString);
        assertEquals(Set.copyOf(first), Set.copyOf(second));
        List<String> others = names(plan("127.8.0.1", "127.8.0.2"), "a", at("127.8.0.1", 7800));
        assertTrue(others.stream().noneMatch(first::contains), others::toString);
    }
}
