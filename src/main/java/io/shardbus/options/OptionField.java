package io.shardbus.options;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One key of a nested object of options.
 *
 * @param path the keys that lead to it, as errors name it
 * @param allowed the values that are allowed, in words
 * @param reader the value that a JSON value gives; empty when it is of the wrong type
 */
record OptionField<O, T>(
        String path,
        String allowed,
        Function<Object, Optional<T>> reader,
        Predicate<T> valid,
        Function<O, T> getter,
        BiConsumer<O, T> setter) {
    static <O> OptionField<O, String> choice(
            String path, List<String> choices, Function<O, String> getter, BiConsumer<O, String> setter) {
        return new OptionField<>(
                path,
                "one of " + String.join(", ", choices),
                json -> Optional.of(json).filter(String.class::isInstance).map(String.class::cast),
                choices::contains,
                getter,
                setter);
    }

    static <O> OptionField<O, String> text(
            String path, Pattern pattern, String allowed, Function<O, String> getter, BiConsumer<O, String> setter) {
        return new OptionField<>(
                path,
                allowed,
                json -> Optional.of(json).filter(String.class::isInstance).map(String.class::cast),
                pattern.asMatchPredicate(),
                getter,
                setter);
    }

    static <O> OptionField<O, Boolean> flag(String path, Function<O, Boolean> getter, BiConsumer<O, Boolean> setter) {
        return new OptionField<>(
                path,
                "true or false",
                json -> Optional.of(json).filter(Boolean.class::isInstance).map(Boolean.class::cast),
                value -> true,
                getter,
                setter);
    }

    static <O> OptionField<O, Long> whole(
            String path, long min, long max, Function<O, Long> getter, BiConsumer<O, Long> setter) {
        return new OptionField<>(
                path,
                "a whole number in " + min + ".." + max,
                OptionField::whole,
                value -> value >= min && value <= max,
                getter,
                setter);
    }

    private static Optional<Long> whole(Object json) {
        return json instanceof Integer || json instanceof Long
                ? Optional.of(((Number) json).longValue())
                : Optional.empty();
    }

    /** The nearest int: what is out of its range is out of every option's. */
    static int asInt(long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }

    static <O> OptionField<O, Double> number(
            String path, double min, double max, Function<O, Double> getter, BiConsumer<O, Double> setter) {
        return new OptionField<>(
                path,
                "a number in " + plain(min) + ".." + plain(max),
                json -> Optional.of(json).filter(Number.class::isInstance).map(value -> ((Number) value).doubleValue()),
                value -> value >= min && value <= max,
                getter,
                setter);
    }

    /** Without an exponent. */
    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    static <O> OptionField<O, List<Double>> shares(
            String path, Function<O, List<Double>> getter, BiConsumer<O, List<Double>> setter) {
        return new OptionField<>(
                path,
                "a list of numbers above 0 whose sum is 1",
                OptionField::numbers,
                shares -> shares.isEmpty() || areShares(shares),
                getter,
                setter);
    }

    private static boolean areShares(List<Double> shares) {
        double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
        return shares.stream().allMatch(share -> share > 0) && Math.abs(sum - 1) < 1e-6;
    }

    private static Optional<List<Double>> numbers(Object json) {
        Object list = json instanceof JsonArray array ? array.getList() : json;
        if (!(list instanceof List<?> items) || !items.stream().allMatch(Number.class::isInstance)) {
            return Optional.empty();
        }
        return Optional.of(
                items.stream().map(item -> ((Number) item).doubleValue()).toList());
    }

    static <O> void read(List<OptionField<O, ?>> fields, String prefix, JsonObject json, O into) {
        for (Map.Entry<String, Object> entry : json) {
            fields.stream()
                    .filter(field -> field.name().equals(entry.getKey()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "unknown option '" + prefix + "." + entry.getKey() + "'; there are " + names(fields)))
                    .read(entry.getValue(), into);
        }
    }

    private static <O> TreeSet<String> names(List<OptionField<O, ?>> fields) {
        TreeSet<String> names = new TreeSet<>();
        fields.forEach(field -> names.add(field.name()));
        return names;
    }

    static <O> JsonObject toJson(List<OptionField<O, ?>> fields, O options) {
        JsonObject json = new JsonObject();
        fields.forEach(field -> json.put(field.name(), field.json(options)));
        return json;
    }

    String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private Object json(O options) {
        T value = getter.apply(options);
        return value instanceof List<?> list ? new JsonArray(new ArrayList<>(list)) : value;
    }

    private void read(@Nullable Object json, O into) {
        setter.accept(into, Optional.ofNullable(json).flatMap(reader).orElseThrow(() -> refusal(json, allowed)));
    }

    void check(O options) {
        T value = getter.apply(options);
        if (!valid.test(value)) {
            throw refusal(value, allowed);
        }
    }

    static IllegalArgumentException refusal(String path, @Nullable Object value, String allowed) {
        return new IllegalArgumentException("option '" + path + "' = " + Json.encode(value) + ": must be " + allowed);
    }

    private IllegalArgumentException refusal(@Nullable Object value, String allowed) {
        return refusal(path, value, allowed);
    }
}
