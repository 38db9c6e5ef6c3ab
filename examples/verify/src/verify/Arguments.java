package verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the command was given: a mode, words, and options that have a value, after = or as the next word, and may be
 * repeated.
 *
 * @param words what is neither the mode nor belongs to an option
 */
record Arguments(String mode, List<String> words, Map<String, List<String>> options) {
    private static final Set<String> KNOWN = Set.of(
            "--faults",
            "--seed",
            "--counters",
            "--seconds",
            "--fault",
            "--per-cluster",
            "--log",
            "--nodes",
            "--slow",
            "--store",
            "--accounts",
            "--clients");

    static Arguments parse(String... arguments) {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("which mode?");
        }
        var words = new ArrayList<String>();
        var options = new HashMap<String, List<String>>();
        var given = Stream.of(arguments)
                .flatMap(text -> text.startsWith("--") ? Stream.of(text.split("=", 2)) : Stream.of(text))
                .toList();
        for (int i = 1; i < given.size(); i++) {
            if (!given.get(i).startsWith("--")) {
                words.add(given.get(i));
            } else if (!KNOWN.contains(given.get(i)) || i + 1 == given.size()) {
                throw new IllegalArgumentException("'" + given.get(i) + "' is unknown, or its value is missing");
            } else {
                options.computeIfAbsent(given.get(i), name -> new ArrayList<>()).add(given.get(++i));
            }
        }
        return new Arguments(arguments[0], words, options);
    }

    List<String> all(String option) {
        return options.getOrDefault(option, List.of());
    }

    String text(String option, String otherwise) {
        var given = all(option);
        return given.isEmpty() ? otherwise : given.get(given.size() - 1);
    }

    /** One that any number of runs can be repeated with. */
    int seed() {
        return number("--seed", 0, new Random().nextInt(1_000_000));
    }

    int number(String option, int least, int otherwise) {
        return all(option).isEmpty() ? otherwise : number(option, text(option, ""), least);
    }

    /** The word at a place, from 0. */
    int word(int place, String name, int least, int otherwise) {
        return words.size() > place ? number(name, words.get(place), least) : otherwise;
    }

    private static int number(String name, String text, int least) {
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least) {
            throw new IllegalArgumentException(name + " '" + text + "' is not a whole number from " + least);
        }
        return Integer.parseInt(text);
    }
}
