package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardbus.model.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that has the place of another proves that one dead. */
class PredecessorsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId NEXT_B = new NodeId("b2");

    private final Map<NodeId, String> places = new HashMap<>(Map.of(A, "host@1", B, "host@2", NEXT_B, "host@2"));
    private final Predecessors predecessors = new Predecessors();

    private List<NodeId> members(NodeId... members) {
        return predecessors.succeeded(List.of(members), node -> Optional.ofNullable(places.get(node)));
    }

    @Test
    void theLostOneWhosePlaceAMemberHasIsDeadAndIsSaidOnce() {
        assertEquals(List.of(), members(A, B));
        assertEquals(List.of(), members(A));
        assertEquals(List.of(B), members(A, NEXT_B));
        assertEquals(List.of(), members(A, NEXT_B));
    }

    @Test
    void aMemberIsNotDeadBeforeItHasLeftTheView() {
        members(A, B);
        assertEquals(List.of(), members(A, B, NEXT_B));
        assertEquals(List.of(B), members(A, NEXT_B));
    }

    @Test
    void anAddressThatIsKnownLaterCountsThen() {
        members(A, B);
        places.remove(NEXT_B);
        assertEquals(List.of(), members(A, NEXT_B));
        places.put(NEXT_B, "host@2");
        assertEquals(List.of(B), members(A, NEXT_B));
    }

    @Test
    void theSameAddressOnAnotherHostProvesNothing() {
        places.put(NEXT_B, "other@2");
        members(A, B);
        assertEquals(List.of(), members(A, NEXT_B));
    }

    @Test
    void whoseHostOrAddressIsNotKnownIsNotDead() {
        places.remove(B);
        members(A, B);
        assertEquals(List.of(), members(A, NEXT_B));
    }

    @Test
    void theMarkOfTheHostIsInTheNodesName() {
        var name = new NodeId(NodeNames.named("counter-1", "0123456789ab"));
        assertEquals("0123456789ab", NodeNames.hostMark(name));
        assertEquals("", NodeNames.hostMark(new NodeId(NodeNames.named("counter-1", ""))));
        assertEquals("", NodeNames.hostMark(new NodeId("counter-h0123456789ab")));
    }

    @Test
    void theMarkDiffersForEachBootAndNetwork(@TempDir Path directory) throws IOException {
        var boot = Files.writeString(directory.resolve("boot"), "one\n");
        var network = Files.createSymbolicLink(directory.resolve("net"), Path.of("net:[1]"));
        var otherNetwork = Files.createSymbolicLink(directory.resolve("net2"), Path.of("net:[2]"));
        var mark = HostMark.of(boot, network);
        assertEquals(12, mark.length());
        assertEquals(mark, HostMark.of(boot, network));
        assertNotEquals(mark, HostMark.of(boot, otherNetwork));
        assertNotEquals(mark, HostMark.of(Files.writeString(directory.resolve("boot2"), "two\n"), network));
        assertEquals("", HostMark.of(directory.resolve("nothing"), network));
    }
}
