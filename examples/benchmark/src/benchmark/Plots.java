package benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws tables of a page as pictures. An image of the page with the title {@code plot: COLUMN} shows that column of the
 * table after it, one bar for each row, as SVG; a column of ratios on a logarithmic axis around 1. A row whose cell
 * begins with no number has no bar.
 */
final class Plots {
    private static final Pattern PICTURE = Pattern.compile("!\\[([^\\]]*)\\]\\((\\S+\\.svg) \"plot: ([^\"]+)\"\\)");
    private static final Pattern NUMBER = Pattern.compile("^[^0-9-]*(-?[0-9][0-9,]*(?:\\.[0-9]+)?) ?([kM](?:/s)?\\b)?");
    private static final int LEFT = 320;
    private static final int WIDTH = 380;
    private static final int ROW = 24;
    private static final int BAR = 16;

    private final String title;
    private final boolean ratio;
    private final List<Row> rows;

    private record Row(String label, String cell, double value) {}

    private Plots(String title, boolean ratio, List<Row> rows) {
        this.title = title;
        this.ratio = ratio;
        this.rows = rows;
    }

    /** @throws IllegalArgumentException for a page without a picture to draw, or a table without such a column */
    static void draw(Path page) throws IOException {
        var lines = Files.readAllLines(page);
        int drawn = 0;
        for (int i = 0; i < lines.size(); i++) {
            Matcher picture = PICTURE.matcher(lines.get(i));
            if (picture.find()) {
                var column = picture.group(3);
                var plot = new Plots(picture.group(1), column.contains("ratio"), rows(lines, i + 1, column));
                var file = page.resolveSibling(picture.group(2)).normalize();
                Files.writeString(file, plot.svg());
                System.out.println("plot file=" + file + " rows=" + plot.rows.size());
                drawn++;
            }
        }
        if (drawn == 0) {
            throw new IllegalArgumentException(page + ": no image has a title 'plot: COLUMN'");
        }
    }

    private static List<Row> rows(List<String> lines, int after, String column) {
        int head = after;
        while (head < lines.size() && !lines.get(head).startsWith("|")) {
            head++;
        }
        int index = head == lines.size() ? -1 : cells(lines.get(head)).indexOf(column);
        if (index < 1) {
            throw new IllegalArgumentException("the table after the picture has no column '" + column + "'");
        }
        var rows = new ArrayList<Row>();
        for (int i = head + 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
            var cells = cells(lines.get(i));
            var cell = index < cells.size() ? cells.get(index) : "";
            value(cell).ifPresent(value -> rows.add(new Row(cells.get(0), cell, value)));
        }
        return rows;
    }

    private static List<String> cells(String line) {
        var cells = new ArrayList<String>();
        int from = 1;
        for (int to = line.indexOf('|', from); to >= 0; to = line.indexOf('|', from)) {
            cells.add(line.substring(from, to).replace("*", "").replace("`", "").strip());
            from = to + 1;
        }
        return cells;
    }

    private static OptionalDouble value(String cell) {
        Matcher number = NUMBER.matcher(cell);
        if (!number.find()) {
            return OptionalDouble.empty();
        }
        var unit = number.group(2);
        double factor = unit == null ? 1 : unit.startsWith("k") ? 1e3 : 1e6;
        return OptionalDouble.of(Double.parseDouble(number.group(1).replace(",", "")) * factor);
    }

    private String svg() {
        int height = ROW * (rows.size() + 2);
        var svg = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"13\""
                        + " width=\"" + (LEFT + WIDTH + 110) + "\" height=\"" + height + "\" role=\"img\" aria-label=\""
                        + escaped(title) + "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        svg.append(text(10, 18, "start", "<tspan font-weight=\"bold\">" + escaped(title) + "</tspan>"));
        double most =
                rows.stream().mapToDouble(row -> extent(row.value())).max().orElse(1);
        double zero = ratio && rows.stream().anyMatch(row -> row.value() < 1) ? LEFT + WIDTH / 2.0 : LEFT;
        double room = ratio ? LEFT + WIDTH - zero : WIDTH;
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            int y = ROW * (i + 1) + 8;
            double length = most == 0 ? 0 : extent(row.value()) / most * room;
            boolean below = ratio && row.value() < 1;
            svg.append(text(LEFT - 10, y + BAR - 4, "end", escaped(row.label())));
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                    below ? zero - length : zero,
                    y,
                    length,
                    BAR,
                    below ? "#c98a2b" : "#4a7ebb"));
            svg.append(text((int) (below ? zero : zero + length) + 6, y + BAR - 4, "start", escaped(row.cell())));
        }
        return svg.append("</svg>\n").toString();
    }

    /** How far a bar reaches from its axis. */
    private double extent(double value) {
        return ratio ? Math.abs(Math.log(Math.max(value, 1e-6))) : Math.max(0, value);
    }

    private static String text(int x, int y, String anchor, String content) {
        return "<text x=\"" + x + "\" y=\"" + y + "\" text-anchor=\"" + anchor + "\">" + content + "</text>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
