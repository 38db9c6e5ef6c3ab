package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.infinispan.marshall.exts.ThrowableExternalizer;
import org.infinispan.statetransfer.OutdatedTopologyException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Of Infinispan 14 and 15; 16 writes exceptions in another way, and the profile leaves this out. */
class RefusedWriteTest {
    @Test
    @DisplayName("a write that another node refuses because of its topology waits for the next one,"
            + " and is not repeated at once")
    void refusalKeepsItsMeaning() throws IOException, ClassNotFoundException {
        var externalizer = ThrowableExternalizer.INSTANCE;
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            externalizer.writeObject(out, OutdatedTopologyException.RETRY_NEXT_TOPOLOGY);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertSame(OutdatedTopologyException.RETRY_NEXT_TOPOLOGY, externalizer.readObject(in));
        }
    }
}
