package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.io.PrintStream;

/** Output of a command: tables and sentences for people, or JSON for programs. */
final class Output {
    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final String PLAIN = "\u001b[0m";

    private final PrintStream out;
    private final PrintStream errors;
    private final boolean json;
    private final boolean colours;

    /** Severity of a text; drawn in a colour where there are colours. */
    enum Mark {
        GOOD("\u001b[32m"),
        WARNING("\u001b[33m"),
        BAD("\u001b[31m"),
        HEADING("\u001b[1m");

        private final String sequence;

        Mark(String sequence) {
            this.sequence = sequence;
        }
    }

    Output(PrintStream out, PrintStream errors, boolean json, boolean colours) {
        this.out = out;
        this.errors = errors;
        this.json = json;
        this.colours = colours;
    }

    boolean isJson() {
        return json;
    }

    /** Prints one document, indented over several lines if it is the only one. */
    void document(JsonObject document) {
        out.println(document.encodePrettily());
        out.flush();
    }

    /** One document of many, in one line. */
    void record(JsonObject document) {
        out.println(document.encode());
        out.flush();
    }

    void line(String text) {
        out.println(Table.printable(text));
        out.flush();
    }

    void line(Mark mark, String word, String text) {
        out.println(coloured(mark, word) + " " + Table.printable(text));
        out.flush();
    }

    void table(Table table) {
        boolean heading = true;
        for (String line : table.lines()) {
            out.println(heading ? coloured(Mark.HEADING, line) : line);
            heading = false;
        }
        out.flush();
    }

    /** Begins a new picture of something that is watched. */
    void newPicture() {
        out.print(colours ? CLEAR : "");
    }

    /** Something that is no part of the answer. */
    void note(String text) {
        errors.println("shardbus: " + Table.printable(text));
        errors.flush();
    }

    private String coloured(Mark mark, String text) {
        return colours ? mark.sequence + text + PLAIN : text;
    }
}
