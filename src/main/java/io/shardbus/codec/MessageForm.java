package io.shardbus.codec;

import io.shardbus.spi.PayloadCodec;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The form in which a build writes the messages of a type, as a number of 16 bits. Where two builds write the same
 * message in other bytes, their forms differ nearly always: by the name and the version of the codec, or by a record, a
 * field or an enum's constant that came, went or has another type.
 */
public final class MessageForm {
    private static final int BITS = 0xffff;

    private final Set<Class<?>> seen = new HashSet<>();
    private final StringBuilder text = new StringBuilder();

    private MessageForm() {}

    public static int of(PayloadCodec<?> codec, Class<?> messages) {
        MessageForm form = new MessageForm();
        form.text.append(codec.name()).append(' ').append(codec.version());
        form.add(messages);
        int hash = form.text.toString().hashCode();
        return (hash ^ hash >>> 16) & BITS;
    }

    private void addType(Type type) {
        if (type instanceof Class<?> plain) {
            add(plain);
        } else if (type instanceof ParameterizedType generic) {
            addType(generic.getRawType());
            for (Type argument : generic.getActualTypeArguments()) {
                addType(argument);
            }
        } else if (type instanceof GenericArrayType array) {
            addType(array.getGenericComponentType());
        } else if (type instanceof WildcardType wildcard) {
            List.of(wildcard.getUpperBounds()).forEach(this::addType);
            List.of(wildcard.getLowerBounds()).forEach(this::addType);
        }
    }

    private void add(Class<?> type) {
        if (!seen.add(type)) {
            return;
        }
        if (type.isArray()) {
            add(type.getComponentType());
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                add(permitted);
            }
        }
        if (type.isRecord()) {
            text.append(" record ").append(type.getSimpleName());
            for (RecordComponent field : type.getRecordComponents()) {
                text.append(' ').append(field.getName()).append(':').append(field.getGenericType());
                addType(field.getGenericType());
            }
        }
        if (type.isEnum()) {
            text.append(" enum ").append(type.getSimpleName());
            for (Object constant : type.getEnumConstants()) {
                text.append(' ').append(((Enum<?>) constant).name());
            }
        }
    }
}
