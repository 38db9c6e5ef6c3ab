package io.shardbus;

import java.util.Collection;
import java.util.Comparator;

/** Which of the known names somebody meant who wrote another. */
final class NearestName {
    private NearestName() {}

    static String of(String written, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(name, written)))
                .orElseThrow();
    }

    /** How many letters to add, drop or change to get from one word to the other. */
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
