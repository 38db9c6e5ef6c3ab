package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/guides/command-line.md lists the commands, options and exit codes that the program has. */
class CommandLineGuideTest {
    private static final Path GUIDE = Path.of("docs/guides/command-line.md");
    private static final Pattern COMMAND = Pattern.compile("`([a-z-]+)(?: [^`]*)?`");
    private static final Pattern IN_HELP = Pattern.compile("^  ([a-z][a-z-]*)  ", Pattern.MULTILINE);
    private static final Pattern OPTION = Pattern.compile("--[a-z]+(?:-[a-z]+)?");

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.groupCount() == 0 ? match.group() : match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String firstCells(String text) {
        return text.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", 3)[1])
                .collect(Collectors.joining("\n"));
    }

    private static String section(String heading) throws IOException {
        String guide = Files.readString(GUIDE);
        int begin = guide.indexOf("\n## " + heading + "\n");
        assertEquals(true, begin >= 0, heading);
        int end = guide.indexOf("\n## ", begin + 1);
        return guide.substring(begin, end < 0 ? guide.length() : end);
    }

    @Test
    void listsTheCommands() throws IOException {
        String commands =
                firstCells(section("Commands that look")) + firstCells(section("Commands that change something"));
        assertEquals(found(IN_HELP, CommandRun.of("--help").succeeds().out()), found(COMMAND, commands));
    }

    @Test
    void listsTheOptionsOfEachCommand() throws IOException {
        Set<String> inHelp = found(OPTION, CommandRun.of("--help").out());
        for (String command : found(IN_HELP, CommandRun.of("--help").out())) {
            inHelp.addAll(found(OPTION, CommandRun.of(command, "--help").out()));
        }
        assertEquals(inHelp, found(OPTION, Files.readString(GUIDE)));
    }

    @Test
    void listsTheExitCodes() throws IOException {
        assertEquals(
                Stream.of(ExitCode.values())
                        .map(code -> "| " + code.code() + " | " + code.meaning() + " |")
                        .toList(),
                section("Exit codes")
                        .lines()
                        .filter(line -> line.matches("\\| \\d+ .*"))
                        .toList());
    }
}
