package io.shardbus.transport.direct;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.fuzz.Mutants;
import io.shardbus.model.NodeId;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostileNotesTest {
    @Test
    void notesWithMistakesAreReadOrRefused() {
        PeerLane lane = new PeerLane(new NodeId("node-1"), 3);
        LinkToken token = new LinkToken(7, -8);
        List<byte[]> real = List.of(
                LinkNote.ask(lane, true).write().getBytes(),
                LinkNote.offer(lane, token, "host.example", 7_900, 1 << 20, true)
                        .write()
                        .getBytes(),
                LinkNote.switching(lane, token).write().getBytes());
        new Mutants(real)
                .decode(bytes -> LaneLinks.sender(Buffer.buffer(bytes)), Set.of(WireFormatException.class), from -> {});
    }
}
