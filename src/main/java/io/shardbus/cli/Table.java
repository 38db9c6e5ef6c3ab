package io.shardbus.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of texts below headings, each column as wide as its longest text. */
final class Table {
    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headings) {
        this.headings = List.of(headings);
    }

    /** @param cells one for each heading; null is drawn as a hyphen */
    Table row(@Nullable Object... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException(cells.length + " cells below " + headings);
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null || String.valueOf(cell).isEmpty() ? "-" : printable(String.valueOf(cell)));
        }
        rows.add(row);
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Without control characters: ids and reasons come from outside, and a terminal obeys such characters. */
    static String printable(String text) {
        return text.codePoints()
                .map(point -> Character.isISOControl(point) ? '?' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The first line has the headings. */
    List<String> lines() {
        int[] widths = new int[headings.size()];
        widen(widths, headings);
        rows.forEach(row -> widen(widths, row));
        List<String> lines = new ArrayList<>();
        lines.add(line(widths, headings));
        rows.forEach(row -> lines.add(line(widths, row)));
        return lines;
    }

    private static void widen(int[] widths, List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    private static String line(int[] widths, List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length()));
            line.append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
