package io.shardbus.options;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and checks small options; every refusal names the key. */
final class KeyedValues {
    private static final Pattern ROLE = Pattern.compile("[A-Za-z0-9._-]{0,64}");

    private KeyedValues() {}

    /** Sets one value of a JSON object. */
    static <O> void read(Map<String, BiConsumer<O, Object>> keys, O options, String key, @Nullable Object value) {
        BiConsumer<O, Object> setter = keys.get(key);
        if (setter == null) {
            throw new IllegalArgumentException(NearestName.refusal(key, keys.keySet()));
        }
        if (value == null) {
            throw ofWrongType(key, "null", null);
        }
        try {
            setter.accept(options, value);
        } catch (ClassCastException e) {
            throw ofWrongType(key, value, e);
        }
    }

    private static IllegalArgumentException ofWrongType(String key, Object value, @Nullable Throwable cause) {
        return new IllegalArgumentException("option '" + key + "' = " + value + ": has the wrong type", cause);
    }

    /**
     * The value of a key that takes a long.
     *
     * @throws ClassCastException for another value, and for a number with a fraction or beyond its range
     */
    static long whole(Object value) {
        return value instanceof Integer small ? small : (Long) value;
    }

    /** The same of a key that takes an int: one beyond its range becomes the nearest, which no key allows. */
    static int count(Object value) {
        return OptionField.asInt(whole(value));
    }

    static void requireName(String key, String name, Pattern pattern) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "option '" + key + "' = \"" + name + "\": must be 1 to 50 letters, digits, '-', '_' or '.'");
        }
    }

    static void requireRole(String role) {
        if (!ROLE.matcher(role).matches()) {
            throw new IllegalArgumentException(
                    "option 'role' = \"" + role + "\": must be up to 64 letters, digits, '-', '_' or '.'");
        }
    }

    static void requireIn(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "option '" + key + "' = " + value + ": must be a whole number in " + min + ".." + max);
        }
    }
}
