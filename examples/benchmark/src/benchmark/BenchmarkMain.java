package benchmark;

import java.nio.file.Path;

/** Starts a run: {@code fault kill|term|join|stop}; see README.md. */
public final class BenchmarkMain {
    private BenchmarkMain() {}

    /** @param arguments what to run; the system property benchmark.logs says where other processes write their logs */
    public static void main(String[] arguments) {
        int status = 0;
        try {
            run(Arguments.of(arguments), Path.of(System.getProperty("benchmark.logs", "target/benchmark")));
        } catch (IllegalArgumentException e) {
            System.err.println("benchmark: " + e.getMessage());
            status = 2;
        } catch (Exception e) {
            e.printStackTrace();
            status = 1;
        }
        System.out.flush();
        // Not exit: the node's goodbye is none of the measurement.
        Runtime.getRuntime().halt(status);
    }

    private static void run(Arguments told, Path logs) throws Exception {
        switch (told.word(0)) {
            case "fault" -> {
                try (var run = new FaultRun(told, logs)) {
                    run.run();
                }
            }
            default -> throw new IllegalArgumentException("what to run? fault kill|term|join|stop");
        }
    }
}
