package io.shardbus.model;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of a node that must be the same on all nodes, because decisions about a split are safe only if all sides
 * decide by the same strategy, with the same times.
 *
 * @param values in words, by the key of the option
 */
public record SafetyOptions(SortedMap<String, String> values) {
    /** Options of a node that has not told them. */
    public static final SafetyOptions NONE = new SafetyOptions(new TreeMap<>());

    public SafetyOptions {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    public static SafetyOptions of(Map<String, String> values) {
        return new SafetyOptions(new TreeMap<>(values));
    }

    /** Each option that differs from the other's, with both values. */
    public String differenceFrom(SafetyOptions others) {
        return Stream.concat(values.keySet().stream(), others.values.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .filter(key -> !Objects.equals(values.get(key), others.values.get(key)))
                .map(key -> key + " is '" + values.getOrDefault(key, "") + "' here and '"
                        + others.values.getOrDefault(key, "") + "' there")
                .collect(Collectors.joining(", "));
    }
}
