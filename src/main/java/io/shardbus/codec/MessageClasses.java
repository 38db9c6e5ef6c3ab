package io.shardbus.codec;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.ResolvedRecursiveType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.shardbus.Ask;
import io.shardbus.EntityType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The classes that an entity type's messages and answers may have, found in the message class itself: the records and
 * enums that it permits, and those that their {@code Ask<R>} names. Nothing else is ever made from bytes.
 */
final class MessageClasses {
    private static final TypeFactory TYPES = RecordJson.BARE.types();

    private final EntityType<?> entityType;
    private final Map<Class<?>, JavaType> all = new LinkedHashMap<>();
    private final Set<Class<?>> messages = new LinkedHashSet<>();

    private MessageClasses(EntityType<?> entityType) {
        this.entityType = entityType;
    }

    static MessageClasses of(EntityType<?> entityType) {
        var classes = new MessageClasses(entityType);
        classes.find();
        return classes;
    }

    /** The classes of messages, without those of answers; empty where messages are scalars. */
    Set<Class<?>> messages() {
        return messages;
    }

    /** The classes of messages and answers. */
    Collection<JavaType> all() {
        return all.values();
    }

    private void find() {
        if (Scalar.isType(entityType.messageClass())) {
            return;
        }
        addPermitted(TYPES.constructType(entityType.messageClass()));
        messages.addAll(all.keySet());
        for (var message : List.copyOf(all.values())) {
            for (var answer : answers(message)) {
                addAnswer(answer);
            }
        }
    }

    private static JavaType[] answers(JavaType message) {
        return Ask.class.isAssignableFrom(message.getRawClass())
                ? message.findTypeParameters(Ask.class)
                : new JavaType[0];
    }

    /** Object and Void do not name the class of an answer: it must be known otherwise. */
    private void addAnswer(JavaType named) {
        var type = named instanceof ResolvedRecursiveType same ? same.getSelfReferencedType() : named;
        var raw = type.getRawClass();
        if (type.isCollectionLikeType() || type.isMapLikeType()) {
            type.getBindings().getTypeParameters().forEach(this::addAnswer);
        } else if (!Scalar.isType(raw) && raw != Object.class && raw != Void.class) {
            addPermitted(type);
        }
    }

    private void addPermitted(JavaType type) {
        var raw = type.getRawClass();
        if (raw.isRecord() || raw.isEnum()) {
            add(type);
        } else if (raw.isInterface() && raw.isSealed()) {
            for (var permitted : raw.getPermittedSubclasses()) {
                addPermitted(TYPES.constructSpecializedType(type, permitted));
            }
        } else {
            throw refusal(raw.getName() + " is neither a record, nor an enum, nor a sealed interface of these,"
                    + " nor a Boolean, Integer, Long, Double, String, Buffer, JsonObject or JsonArray");
        }
    }

    private void add(JavaType type) {
        var before = all.put(type.getRawClass(), type);
        // by their names: a class that names itself as its answer is another JavaType there
        if (before != null && !before.toCanonical().equals(type.toCanonical())) {
            throw refusal(type.getRawClass().getName() + " is used with different type arguments");
        }
    }

    private IllegalArgumentException refusal(String reason) {
        return new IllegalArgumentException(
                "entity type '" + entityType.name() + "': " + reason + "; bring a codec: EntityDefinition.withCodec");
    }
}
