package benchmark;

import java.nio.file.Path;

/** Starts a run: {@code local}, {@code remote}, {@code cost local|remote}, {@code passivation}, {@code passivate},
 * {@code remember}, {@code persist}, {@code recover}, {@code project}, {@code deliver}, {@code growth ...}, {@code
 * fault kill|term|join|stop}, or draws with {@code plot FILE}; see
 * README.md. */
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
        // The node's goodbye is none of the measurement.
        System.exit(status);
    }

    private static void run(Arguments told, Path logs) throws Exception {
        switch (told.word(0)) {
            case "fault" -> {
                try (var run = new FaultRun(told, logs)) {
                    run.run();
                }
            }
            case "comparison" -> Comparison.print(Path.of(told.word(1)));
            case "plot" -> Plots.draw(Path.of(told.word(1)));
            case "passivation" -> new PassivationRun(told).run();
            case "passivate" -> new PassivateRun(told).run();
            case "growth" -> GrowthRuns.run(told, logs);
            case "remember" -> new RememberRun(told).run(logs);
            case "persist" -> StoreUnderTest.forEach(told, new PersistRun(told)::run);
            case "recover" -> StoreUnderTest.forEach(told, new RecoverRun(told)::run);
            case "project" -> StoreUnderTest.forEach(told, new ProjectRun(told)::run);
            case "deliver" -> StoreUnderTest.forEach(told, new DeliverRun(told)::run);
            case "cost" -> {
                try (var run = new CostRun(told, logs)) {
                    run.run();
                }
            }
            case "local" -> new SpeedRun(told, logs).local();
            case "remote" -> new SpeedRun(told, logs).remote();
            default ->
                throw new IllegalArgumentException(
                        "what to run? local, remote, cost local|remote, passivation, passivate, remember, persist, recover, project,"
                                + " deliver, growth,"
                                + " fault kill|term|join|stop, or plot FILE");
        }
    }
}
