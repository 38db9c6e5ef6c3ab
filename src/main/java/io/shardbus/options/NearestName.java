package io.shardbus.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Suggests the closest known name for a misspelt one. */
final class NearestName {
    /** Sections beside the options in the launcher's file. */
    static final Set<String> SECTIONS =
            Set.of("cluster", "eventBus", "regions", "daemons", "singletons", "dataCenter", "persistence", "admin");

    private NearestName() {}

    /** The error text for an unknown option. */
    static String refusal(String written, Collection<String> known) {
        String unknown = "unknown option '" + written + "'";
        if (SECTIONS.contains(written)) {
            return unknown + ": it is a section of the launcher's file, not of the options";
        }
        return of(written, known)
                .map(nearest -> unknown + ": did you mean '" + nearest + "'?")
                .orElse(unknown + "; docs/reference/options.md lists all");
    }

    /** Empty if more than half of the nearest name would have to change. */
    private static Optional<String> of(String written, Collection<String> known) {
        return Stream.concat(known.stream(), SECTIONS.stream())
                .min(Comparator.comparingInt(name -> distance(name, written)))
                .filter(name -> 2 * distance(name, written) <= name.length());
    }

    /** Edit distance: the number of letters to add, drop or change to get from one word to the other. */
    private static int distance(String from, String to) {
        var row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = diagonal + (sameLetter(from.charAt(i - 1), to.charAt(j - 1)) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }

    private static boolean sameLetter(char a, char b) {
        return Character.toLowerCase(a) == Character.toLowerCase(b);
    }
}
