package io.shardbus.launcher;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Variables of the environment in the texts of a configuration: <code>"${NAME}"</code>, which must be set, or
 * <code>"${NAME:otherwise}"</code>, where the other value may have variables of its own. <code>"$${NAME}"</code> is the
 * text <code>${NAME}</code>. Where a key takes a
 * number, true or false, or an array of texts, the text is read as one: an array has commas.
 */
final class ConfigVariables {
    /** In the shape of an object: of the values of all keys that it does not name. */
    static final String ANY = "*";

    private static final String BEGIN = "${";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern COMMAS = Pattern.compile(" *, *");

    private final UnaryOperator<@Nullable String> environment;

    private ConfigVariables(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * The configuration with values in the place of variables.
     *
     * @param shape has a number, a boolean or an array where a key takes one; of an array its first element is meant
     * @param environment null for a variable that is not set
     * @throws IllegalArgumentException naming key and variable, for one that is not set and has no other value, and for
     *     a value of another kind than the key takes
     */
    static JsonObject resolve(JsonObject json, JsonObject shape, UnaryOperator<@Nullable String> environment) {
        return new ConfigVariables(environment).object("", json, shape);
    }

    private JsonObject object(String path, JsonObject json, JsonObject shape) {
        var resolved = new JsonObject();
        json.forEach(entry -> {
            var key = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            resolved.put(
                    entry.getKey(), value(key, entry.getValue(), shape.getValue(entry.getKey(), shape.getValue(ANY))));
        });
        return resolved;
    }

    private @Nullable Object value(String key, @Nullable Object value, @Nullable Object shape) {
        if (value instanceof JsonObject object) {
            return object(key, object, shape instanceof JsonObject known ? known : new JsonObject());
        }
        if (value instanceof JsonArray array) {
            return array(key, array, shape);
        }
        return value instanceof String text && text.contains(BEGIN) ? typed(key, text, shape) : value;
    }

    private JsonArray array(String key, JsonArray array, @Nullable Object shape) {
        var resolved = new JsonArray();
        var element = shape instanceof JsonArray known && !known.isEmpty() ? known.getValue(0) : null;
        for (int i = 0; i < array.size(); i++) {
            resolved.add(value(key + "[" + i + "]", array.getValue(i), element));
        }
        return resolved;
    }

    private Object typed(String key, String text, @Nullable Object shape) {
        var resolved = text(key, text);
        if (shape instanceof Number) {
            return number(key, text, resolved);
        }
        if (shape instanceof Boolean) {
            if (!resolved.equals("true") && !resolved.equals("false")) {
                throw refusal(key, text, "is \"" + resolved + "\", neither true nor false");
            }
            return Boolean.valueOf(resolved);
        }
        return shape instanceof JsonArray ? texts(resolved) : resolved;
    }

    private static JsonArray texts(String resolved) {
        var texts = new JsonArray();
        Arrays.stream(COMMAS.split(resolved.trim()))
                .filter(text -> !text.isEmpty())
                .forEach(texts::add);
        return texts;
    }

    private static Number number(String key, String text, String resolved) {
        try {
            if (resolved.contains(".")) {
                return Double.valueOf(resolved);
            }
            long whole = Long.parseLong(resolved.trim());
            return whole == (int) whole ? (Number) (int) whole : (Number) whole;
        } catch (NumberFormatException e) {
            throw refusal(key, text, "is \"" + resolved + "\", no number");
        }
    }

    private String text(String key, String text) {
        var resolved = new StringBuilder();
        int at = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, at)) {
            int end = end(text, begin);
            if (end < 0) {
                break;
            }
            boolean escaped = begin > at && text.charAt(begin - 1) == '$';
            resolved.append(text, at, escaped ? begin - 1 : begin)
                    .append(escaped ? text.substring(begin, end + 1) : reference(key, text.substring(begin, end + 1)));
            at = end + 1;
        }
        return resolved.append(text.substring(at)).toString();
    }

    /** The brace that ends the reference; negative if there is none. */
    private static int end(String text, int begin) {
        int depth = 0;
        for (int i = begin + 1; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private String reference(String key, String reference) {
        String inside = reference.substring(BEGIN.length(), reference.length() - 1);
        int colon = inside.indexOf(':');
        return colon < 0
                ? variable(key, reference, inside, null)
                : variable(key, reference, inside.substring(0, colon), inside.substring(colon + 1));
    }

    private String variable(String key, String text, String name, @Nullable String otherwise) {
        if (!NAME.matcher(name).matches()) {
            throw refusal(key, text, "does not name a variable: letters, digits and _ do");
        }
        var value = environment.apply(name);
        if (value != null) {
            return value;
        }
        if (otherwise == null) {
            throw refusal(
                    key,
                    text,
                    "needs the variable " + name + " of the environment, which is not set; set it, or give"
                            + " another value: ${" + name + ":value}");
        }
        return text(key, otherwise);
    }

    private static IllegalArgumentException refusal(String key, String text, String reason) {
        return new IllegalArgumentException(key + ": " + text + " " + reason);
    }
}
