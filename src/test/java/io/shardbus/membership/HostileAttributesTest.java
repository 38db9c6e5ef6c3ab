package io.shardbus.membership;

import io.shardbus.fuzz.Mutants;
import io.shardbus.store.UnreadableRecordException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostileAttributesTest {
    @Test
    void attributesWithMistakesAreReadOrRefused() {
        List<byte[]> real = List.of(
                NodeAttributesCodec.encode(NodeAttributes.DEFAULT),
                NodeAttributesCodec.encode(
                        new NodeAttributes(Set.of("backend", "blue"), false, "1.2").at("host", 7_800)));
        new Mutants(real).decode(NodeAttributesCodec::decode, Set.of(UnreadableRecordException.class), read -> {});
    }
}
