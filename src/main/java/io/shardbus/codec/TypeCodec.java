package io.shardbus.codec;

import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The built-in codec of one entity type: scalars, or records and enums that the message class permits. */
final class TypeCodec<M> implements PayloadCodec<M> {
    private final EntityType<M> entityType;
    private final Set<Class<?>> messages;
    private final NamedTypes types;
    private final ValueFormat format;
    private final List<String> unwritable;

    TypeCodec(EntityType<M> entityType, RecordJson json) {
        var classes = MessageClasses.of(entityType);
        this.entityType = entityType;
        this.messages = Set.copyOf(classes.messages());
        this.types = new NamedTypes(entityType, classes.all(), json);
        this.unwritable = UnwritableFields.of(classes.all(), json);
        this.format = new ValueFormat(entityType.name(), types);
    }

    /** The fields that no message, and no answer, takes to another node, each with the reason. */
    List<String> unwritableFields() {
        return unwritable;
    }

    @Override
    public String name() {
        return "shardbus";
    }

    @Override
    public boolean accepts(@Nullable Object message) {
        if (message == null) {
            return false;
        }
        return messages.isEmpty()
                ? entityType.messageClass().isInstance(message)
                : messages.contains(NamedTypes.classOf(message));
    }

    @Override
    public void encode(@Nullable Object value, Buffer out) {
        format.encode(value, out);
    }

    @Override
    public @Nullable Object decode(Buffer in, int start, int end) {
        return format.decode(new Span(in, start, end));
    }

    @Override
    public M fromJson(JsonObject json) {
        try {
            return entityType.messageClass().cast(message(json));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "entity type '" + entityType.name() + "': not a message: " + e.getMessage(), e.getCause());
        }
    }

    @Override
    public @Nullable Object toJson(@Nullable Object answer) {
        return new JsonForm(entityType.name(), types).of(answer);
    }

    private Object message(JsonObject json) {
        if (entityType.messageClass() == JsonObject.class) {
            return json;
        }
        if (messages.isEmpty()) {
            throw new UnsupportedOperationException("entity type '" + entityType.name() + "': messages of "
                    + entityType.messageClass() + " have no JSON form");
        }
        return types.fromJson(typeName(json), json);
    }

    /** The message class itself needs no "type", and may have a field of that name. */
    private String typeName(JsonObject json) {
        var only = messages.contains(entityType.messageClass()) ? entityType.messageClass() : null;
        if (only != null && (hasTypeField(only) || !json.containsKey("type"))) {
            return only.getSimpleName();
        }
        var named = json.getValue("type");
        for (var message : messages) {
            if (message.getSimpleName().equals(named)) {
                return nameable(message);
            }
        }
        throw new IllegalArgumentException("\"type\" must be one of "
                + messages.stream().map(Class::getSimpleName).sorted().toList());
    }

    private static String nameable(Class<?> message) {
        if (hasTypeField(message)) {
            throw new IllegalArgumentException(
                    message.getSimpleName() + " has a field 'type' of its own, so JSON cannot say its name");
        }
        return message.getSimpleName();
    }

    private static boolean hasTypeField(Class<?> message) {
        return message.isRecord()
                && Arrays.stream(message.getRecordComponents())
                        .anyMatch(c -> c.getName().equals("type"));
    }
}
