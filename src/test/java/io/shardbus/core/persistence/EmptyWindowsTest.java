package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shardbus.model.Deduplication;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The windows of an entity that has taken no identified command and no delivery")
class EmptyWindowsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int COUNT = 10_000;

    @Test
    @DisplayName("take no more than their own objects")
    void takeLittle() {
        bytes(EmptyWindowsTest::window);
        long both = bytes(EmptyWindowsTest::window) + bytes(DeliveryWindow::new);

        // their objects and what is garbage at once; the maps would add 104
        assertTrue(both <= 100, both + " bytes");
    }

    private static DedupWindow window() {
        return new DedupWindow(Deduplication.DEFAULT);
    }

    /** Allocated by one on average; what is allocated once is spread over all. */
    private static long bytes(Supplier<Object> make) {
        Object[] made = new Object[COUNT];
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < COUNT; i++) {
            made[i] = make.get();
        }
        long bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / COUNT;
        assertNotNull(made[COUNT - 1]);
        return bytes;
    }
}
