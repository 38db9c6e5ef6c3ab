package verify;

/**
 * Checks the promise of one live instance on a cluster, and of accounts that nothing is lost or doubled: {@code Verify
 * local | http | campaign | accounts ...}, see README.md.
 */
public final class Verify {
    private static final String USAGE = """
        usage: run.sh local [NODES] [SECONDS] [--faults F,F,...] [--seed N] [--counters N] [--slow MS]
               run.sh http URL... [--seconds N] [--counters N] [--fault COMMAND]...
               run.sh campaign RUNS [--faults F,F,...] [--seed N] [--counters N] [--per-cluster N] [--log FILE]
                               [--nodes N] [--slow MS]
               run.sh accounts [RUNS] [--store=sqlite|postgres] [--faults F,F,...] [--seed N] [--accounts N]
                               [--clients N] [--per-cluster N] [--log FILE]
        """;

    private Verify() {}

    public static void main(String[] arguments) {
        int code;
        try {
            code = run(arguments) ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println("verify: " + e.getMessage());
            System.err.print(USAGE);
            code = 2;
        }
        System.exit(code);
    }

    private static boolean run(String[] arguments) {
        var options = Arguments.parse(arguments);
        return switch (options.mode()) {
            case "local" -> new LocalRuns(options).forSeconds();
            case "http" -> new HttpRuns(options).run();
            case "campaign" -> new LocalRuns(options).campaign();
            case "accounts" -> new AccountRuns(options).campaign();
            default ->
                throw new IllegalArgumentException(
                        "'" + options.mode() + "' is none of local, http, campaign, accounts");
        };
    }
}
