package io.shardbus.transport;

import io.shardbus.fuzz.Mutants;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostileQueriesTest {
    @Test
    void questionsWithMistakesAreReadOrRefused() {
        JsonObject question =
                new JsonObject().put("question", "home").put("type", "cart").put("shard", 7);
        JsonObject answer = new JsonObject().put("regions", new JsonArray().add(new JsonObject().put("node", "a")));
        List<byte[]> real = List.of(
                QueryCodec.write(question).getBytes(), QueryCodec.write(answer).getBytes());
        new Mutants(real)
                .decode(
                        bytes -> QueryCodec.read(Buffer.buffer(bytes)).encode(),
                        Set.of(WireFormatException.class),
                        read -> {});
    }
}
