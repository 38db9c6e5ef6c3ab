package io.shardbus.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/**
 * The program {@code shardbus}: shows and steers a cluster through the admin resources of any of its nodes. See
 * docs/guides/command-line.md.
 */
@Command(
        name = "shardbus",
        description = {
            "Shows and steers a Shardbus cluster through the admin resources of any node.",
            "NODE is the name of a node, or the begin of it where no other node's begins so."
        },
        synopsisSubcommandLabel = "COMMAND")
public final class ShardbusCommand implements Runnable {
    private static final int LONGEST_TIMEOUT_S = 3_600;
    private static final String LOGGERS = "vertx.logger-delegate-factory-class-name";

    private final PrintStream out;
    private final PrintStream errors;
    private final boolean terminal;

    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            defaultValue = "${env:SHARDBUS_URL:-http://127.0.0.1:8080/sharding}",
            description =
                    "The mount of a node's admin resources. Default: SHARDBUS_URL, else http://127.0.0.1:8080/sharding")
    private String url = "";

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "JSON instead of tables")
    private boolean json;

    @Option(
            names = "--header",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME=VALUE",
            description = "Sent with each request. SHARDBUS_AUTHORIZATION is sent as Authorization")
    private @Nullable Map<String, String> headers;

    @Option(
            names = "--timeout",
            scope = ScopeType.INHERIT,
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long an answer may take. Default: ${DEFAULT-VALUE}")
    private int timeout;

    @Option(names = "--no-colour", scope = ScopeType.INHERIT, description = "No colours on a terminal, as NO_COLOR")
    private boolean colourless;

    /** Read by picocli, which then shows the help and runs no command. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Explains a command")
    private boolean help;

    private ShardbusCommand(PrintStream out, PrintStream errors, boolean terminal) {
        this.out = out;
        this.errors = errors;
        this.terminal = terminal;
    }

    /** Runs the command of the arguments, and ends the process with its {@link ExitCode}. */
    public static void main(String[] arguments) {
        // else the JSON of Vert.x writes a line through a logging library, which may have standard output
        if (System.getProperty(LOGGERS) == null) {
            System.setProperty(LOGGERS, "io.vertx.core.logging.JULLogDelegateFactory");
        }
        // which the script finds out: Java has no way that holds for all its versions
        boolean terminal = Boolean.getBoolean("shardbus.terminal") && System.getenv("NO_COLOR") == null;
        System.exit(run(arguments, System.out, System.err, terminal));
    }

    /**
     * Runs the command of the arguments.
     *
     * @param terminal whether colours are wanted
     * @return the code of an {@link ExitCode}
     */
    static int run(String[] arguments, PrintStream out, PrintStream errors, boolean terminal) {
        var line = commandLine(new ShardbusCommand(out, errors, terminal));
        return line.execute(arguments);
    }

    private static CommandLine commandLine(ShardbusCommand root) {
        var line = new CommandLine(root);
        var groups = Stream.of(
                        new LookCommands(root),
                        new FollowCommands(root),
                        new LoadCommands(root),
                        new MessageCommands(root),
                        new OrderCommands(root))
                .map(CommandLine::new)
                .toList();
        groups.forEach(group -> group.getSubcommands().forEach(line::addSubcommand));
        line.addSubcommand(new DoctorCommand(root));
        line.addSubcommand(new ProjectionsCommand(root));
        return line.setOut(new PrintWriter(root.out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(root.errors, true, StandardCharsets.UTF_8))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(parsed -> execute(parsed, groups))
                .setParameterExceptionHandler((failure, arguments) -> root.refuse(failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> root.fail(failure));
    }

    /** A command that is a method is called on the object that its parent has: the group of its class. */
    private static int execute(ParseResult parsed, List<CommandLine> groups) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        List<CommandLine> all = parsed.asCommandLineList();
        CommandSpec command = all.get(all.size() - 1).getCommandSpec();
        if (command.userObject() instanceof Method method) {
            groups.stream()
                    .map(CommandLine::getCommandSpec)
                    .filter(group -> method.getDeclaringClass().isInstance(group.userObject()))
                    .forEach(command::parent);
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    @Override
    public void run() {
        throw new CommandFailure(ExitCode.USAGE, "a command is missing; --help lists all");
    }

    private int refuse(CommandLine.ParameterException failure) {
        output().note(firstLine(failure) + "; --help explains");
        return ExitCode.USAGE.code();
    }

    private int fail(Exception failure) {
        if (failure instanceof CommandFailure expected) {
            output().note(firstLine(expected));
            return expected.code().code();
        }
        failure.printStackTrace(errors);
        return ExitCode.DEFECT.code();
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    Output output() {
        return new Output(out, errors, json, terminal && !colourless);
    }

    /** The node that the options name. */
    NodeHttp node() {
        return node(url);
    }

    NodeHttp node(String mount) {
        if (timeout < 1 || timeout > LONGEST_TIMEOUT_S) {
            throw new CommandFailure(ExitCode.USAGE, "--timeout must be a whole number in 1.." + LONGEST_TIMEOUT_S);
        }
        Map<String, String> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(headers == null ? Map.of() : headers);
        String authorization = System.getenv("SHARDBUS_AUTHORIZATION");
        if (authorization != null) {
            sent.putIfAbsent("Authorization", authorization);
        }
        return new NodeHttp(mount, sent, Duration.ofSeconds(timeout));
    }

    /** Script by which bash and zsh complete commands and options. */
    static String completion() {
        return AutoComplete.bash("shardbus", commandLine(new ShardbusCommand(System.out, System.err, false)));
    }
}
