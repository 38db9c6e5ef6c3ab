package io.shardbus;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a kind of entity and the class of the messages it takes. Equal by both.
 *
 * @param name 1 to 64 letters, digits, '-', '_' or '.'; the same on all nodes
 * @param messageClass a sealed interface of records, a record, String, Buffer, JsonObject or a boxed primitive, or any
 *     class for which the definition brings a codec
 */
public record EntityType<M>(String name, Class<M> messageClass) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public EntityType {
        Objects.requireNonNull(messageClass, "messageClass");
        if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException(
                    "entity type name '" + name + "': use 1 to 64 letters, digits, '-', '_' or '.'");
        }
    }

    public static <M> EntityType<M> of(String name, Class<M> messageClass) {
        return new EntityType<>(name, messageClass);
    }
}
