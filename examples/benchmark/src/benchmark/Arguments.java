package benchmark;

import io.shardbus.options.ShardingOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a run was told: words, {@code --name} or {@code --name=value}, and {@code -Dkey=value} for
 * {@link ShardingOptions}.
 *
 * @param flags by name, "" for those without a value
 * @param overrides of the sharding options of every node
 */
record Arguments(List<String> words, Map<String, String> flags, JsonObject overrides) {
    private static final List<String> FLAGS = List.of(
            "coordinator",
            "resume",
            "scale",
            "only",
            "rounds",
            "witness",
            "node",
            "name",
            "peers",
            "limit",
            "accesses",
            "plot",
            "ids",
            "nodes",
            "remember",
            "messages",
            "proxy",
            "watch",
            "kill",
            "directory",
            "upTo",
            "hosts",
            "shards",
            "entities",
            "rate",
            "joins",
            "seconds",
            "store",
            "postgres",
            "server",
            "events",
            "meters",
            "tracer");

    /** @throws IllegalArgumentException for a flag or an option that does not exist */
    static Arguments of(String... arguments) {
        var words = new ArrayList<String>();
        var flags = new TreeMap<String, String>();
        var overrides = new JsonObject();
        for (var argument : arguments) {
            if (argument.startsWith("-D")) {
                overrides.put(name(argument.substring(2)), value(argument));
            } else if (argument.startsWith("--")) {
                flags.put(flag(name(argument.substring(2))), argument.replaceFirst("^[^=]*=?", ""));
            } else {
                words.add(argument);
            }
        }
        if (flags.containsKey("witness")) {
            overrides.put("deathWitness", "refused-connection");
        }
        return new Arguments(words, flags, overrides);
    }

    private static String name(String text) {
        return text.replaceFirst("=.*", "");
    }

    private static String flag(String name) {
        if (!FLAGS.contains(name)) {
            throw new IllegalArgumentException("--" + name + ": no such flag; there are " + FLAGS);
        }
        return name;
    }

    private static Object value(String argument) {
        var text = argument.replaceFirst("^[^=]*=?", "");
        try {
            return Json.decodeValue(text);
        } catch (DecodeException e) {
            return text;
        }
    }

    String word(int index) {
        return index < words.size() ? words.get(index) : "";
    }

    boolean has(String flag) {
        return flags.containsKey(flag);
    }

    String get(String flag, String otherwise) {
        return flags.getOrDefault(flag, otherwise);
    }

    /** @throws IllegalArgumentException for a number that is none, or out of range */
    int number(String flag, int otherwise, int min, int max) {
        int number = Integer.parseInt(get(flag, Integer.toString(otherwise)));
        if (number < min || number > max) {
            throw new IllegalArgumentException("--" + flag + "=" + number + ": use " + min + " to " + max);
        }
        return number;
    }

    /** These options with the overrides of the run. */
    ShardingOptions options(JsonObject defaults) {
        return new ShardingOptions(defaults.copy().mergeIn(overrides));
    }

    /** The same with other defaults. */
    Arguments with(JsonObject defaults) {
        return new Arguments(words, flags, defaults.copy().mergeIn(overrides));
    }

    /** The overrides, for another process. */
    Stream<String> forwarded() {
        return overrides.stream().map(entry -> "-D" + entry.getKey() + "=" + Json.encode(entry.getValue()));
    }

    List<String> list(String flag) {
        return Arrays.stream(get(flag, "").split(","))
                .filter(text -> !text.isEmpty())
                .toList();
    }
}
