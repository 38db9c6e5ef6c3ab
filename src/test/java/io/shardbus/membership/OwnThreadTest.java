package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnThreadTest {
    @Test
    void aTaskThatThrowsIsRunNoMoreAndTheThreadSaysSo() throws InterruptedException {
        OwnThread thread = new OwnThread("worker");
        try {
            CountDownLatch ran = new CountDownLatch(3);
            thread.poll(1, ran::countDown);
            assertTrue(ran.await(10, TimeUnit.SECONDS));
            assertNull(thread.end());
            thread.poll(1, () -> {
                throw new LinkageError("a class is missing");
            });
            CountDownLatch after = new CountDownLatch(1);
            thread.runAfterMillis(20, after::countDown);
            assertTrue(after.await(10, TimeUnit.SECONDS));
            assertTrue(String.valueOf(thread.end()).contains("worker died of"), thread.end());
        } finally {
            thread.close();
        }
    }
}
