package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finding of the doctor.
 *
 * @param check what was looked at, as {@code clocks}
 * @param change what to do; null where nothing is to be done
 */
record Finding(
        String check, Level level, String text, @Nullable String change) {
    /** Severity of a finding. */
    enum Level {
        OK,
        WARNING,
        PROBLEM
    }

    static Finding ok(String check, String text) {
        return new Finding(check, Level.OK, text, null);
    }

    static Finding warning(String check, String text, String change) {
        return new Finding(check, Level.WARNING, text, change);
    }

    static Finding problem(String check, String text, String change) {
        return new Finding(check, Level.PROBLEM, text, change);
    }

    JsonObject toJson() {
        return new JsonObject()
                .put("check", check)
                .put("level", level.name().toLowerCase(Locale.ROOT))
                .put("text", text)
                .put("change", change);
    }

    void tell(Output output) {
        Output.Mark mark = switch (level) {
            case OK -> Output.Mark.GOOD;
            case WARNING -> Output.Mark.WARNING;
            case PROBLEM -> Output.Mark.BAD;
        };
        output.line(mark, level == Level.OK ? "ok     " : level.name().toLowerCase(Locale.ROOT), check + ": " + text);
        if (change != null) {
            output.line("        -> " + change);
        }
    }
}
