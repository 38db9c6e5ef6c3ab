package io.shardbus.launcher;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A configuration file: one JSON object, in which comments and a comma after the last value are allowed and a key must
 * not come twice.
 */
public final class ConfigFile {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ConfigFile() {}

    /**
     * Reads a file; blocks.
     *
     * @throws IllegalArgumentException naming file, line and column, if it does not hold one JSON object
     * @throws UncheckedIOException naming the file, if it cannot be read
     */
    public static JsonObject read(Path file) {
        return parse(file, load(file));
    }

    private static byte[] load(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read configuration file " + file, e);
        }
    }

    private static JsonObject parse(Path file, byte[] text) {
        try {
            var json = MAPPER.readTree(text);
            if (!json.isObject()) {
                throw refusal(file, new JsonLocation(null, 0, 1, 1), "not a JSON object");
            }
            return new JsonObject(json.toString());
        } catch (JsonProcessingException e) {
            throw refusal(file, e.getLocation(), e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read configuration file " + file, e);
        }
    }

    private static IllegalArgumentException refusal(Path file, @Nullable JsonLocation at, String reason) {
        var place = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
        return new IllegalArgumentException("configuration file " + file + place + ": " + reason);
    }
}
