package benchmark;

import java.time.Duration;
import java.util.Arrays;

/** The processor time that some processes have used. */
final class Cpu {
    private final long[] pids;

    Cpu(long... pids) {
        this.pids = pids.clone();
    }

    double seconds() {
        return Arrays.stream(pids).mapToDouble(Cpu::seconds).sum();
    }

    private static double seconds(long pid) {
        return ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }
}
