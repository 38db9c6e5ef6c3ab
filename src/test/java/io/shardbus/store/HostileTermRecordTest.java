package io.shardbus.store;

import io.shardbus.fuzz.Mutants;
import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostileTermRecordTest {
    @Test
    void termRecordsWithMistakesAreReadOrRefused() {
        NodeId owner = new NodeId("node-1");
        List<byte[]> real = List.of(
                TermRecordCodec.encode(new TermRecord(5, owner, 7, 3)),
                TermRecordCodec.encode(new TermRecord(
                        1_790_000_000_000L, owner, -7, TermRecord.RELEASED, 500, Set.of(owner, new NodeId("b")))),
                TermRecordCodec.encode(new TermRecord(
                        6, owner, 7, 3, 8_000, null, new Charter(new TermId(5, 8), Set.of("a:1"), Set.of(owner)))));
        new Mutants(real)
                .decode(
                        TermRecordCodec::decode,
                        Set.of(UnreadableRecordException.class, IncompatibleRecordException.class),
                        TermRecordCodec::encode);
    }
}
