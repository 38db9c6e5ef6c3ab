package io.shardbus.core.allocation;

import java.util.Comparator;

/**
 * The order of application versions, older first. Versions are compared part by part between the dots: numbers as
 * numbers of any length, so that 1.9 is older than 1.10; words as text, and older than numbers. A missing part is 0.
 * What follows the first {@code -} or {@code +} counts only between versions that are equal up to there: 2.0-RC1 is
 * older than 2.0.
 */
public final class AppVersionOrder {
    /** Older versions first; versions that compare as equal, such as 1.0 and 1.0.0, are the same version. */
    public static final Comparator<String> OLDER_FIRST = AppVersionOrder::compare;

    private AppVersionOrder() {}

    private static int compare(String a, String b) {
        if (a.equals(b)) {
            return 0;
        }
        int endA = endOfNumber(a);
        int endB = endOfNumber(b);
        int byNumber = compareParts(a.substring(0, endA), b.substring(0, endB));
        return byNumber != 0 ? byNumber : compareQualifiers(a.substring(endA), b.substring(endB));
    }

    private static int endOfNumber(String version) {
        for (int i = 0; i < version.length(); i++) {
            if (version.charAt(i) == '-' || version.charAt(i) == '+') {
                return i;
            }
        }
        return version.length();
    }

    private static int compareParts(String a, String b) {
        String restA = a;
        String restB = b;
        while (!restA.isEmpty() || !restB.isEmpty()) {
            int order = comparePart(firstPart(restA), firstPart(restB));
            if (order != 0) {
                return order;
            }
            restA = afterFirstPart(restA);
            restB = afterFirstPart(restB);
        }
        return 0;
    }

    private static String firstPart(String parts) {
        int dot = parts.indexOf('.');
        return dot < 0 ? parts : parts.substring(0, dot);
    }

    private static String afterFirstPart(String parts) {
        int dot = parts.indexOf('.');
        return dot < 0 ? "" : parts.substring(dot + 1);
    }

    private static int comparePart(String a, String b) {
        boolean numberA = isNumber(a);
        boolean numberB = isNumber(b);
        if (numberA && numberB) {
            return compareNumbers(withoutLeadingZeros(a), withoutLeadingZeros(b));
        }
        return numberA == numberB ? a.compareTo(b) : Boolean.compare(numberA, numberB);
    }

    private static boolean isNumber(String part) {
        return part.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String withoutLeadingZeros(String digits) {
        int start = 0;
        while (start < digits.length() && digits.charAt(start) == '0') {
            start++;
        }
        return digits.substring(start);
    }

    private static int compareNumbers(String a, String b) {
        return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
    }

    private static int compareQualifiers(String a, String b) {
        if (a.isEmpty() || b.isEmpty()) {
            return Boolean.compare(a.isEmpty(), b.isEmpty());
        }
        return a.compareTo(b);
    }
}
