package io.shardbus.runtime.clock;

import io.shardbus.core.time.ClockReading;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time since the machine was booted, as Linux tells it in {@code /proc/uptime}: it includes suspends, and no one
 * can set it. Java's own monotonic clock leaves suspends out. Reading it asks the kernel and no disk. Any thread.
 */
final class BootClock {
    private static final Logger LOG = LoggerFactory.getLogger(BootClock.class);
    private static final String UPTIME = "/proc/uptime";
    private static final int LONGEST = 64;

    private final String file;
    private volatile boolean missing;

    BootClock() {
        this(UPTIME);
    }

    BootClock(String file) {
        this.file = file;
    }

    /** {@link ClockReading#NO_BOOT} where the platform does not tell it. */
    long millis() {
        if (missing) {
            return ClockReading.NO_BOOT;
        }
        try (FileInputStream in = new FileInputStream(file)) {
            return parse(new String(in.readNBytes(LONGEST), StandardCharsets.US_ASCII));
        } catch (IOException | NumberFormatException e) {
            LOG.debug("no time since the boot in {}: only the wall clock shows suspends", file, e);
            missing = true;
            return ClockReading.NO_BOOT;
        }
    }

    /** Seconds with two decimals, then the time that the processors were idle. */
    private static long parse(String text) {
        int end = text.indexOf(' ');
        return Math.round(1000 * Double.parseDouble(end < 0 ? text : text.substring(0, end)));
    }
}
