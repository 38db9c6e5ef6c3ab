package io.shardbus.codec;

import io.shardbus.Ask;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class of the answers to a message, as its {@link Ask} says: {@code Long} for
 * {@code record Get() implements Ask<Long>}. Generics are erased where the answer is made, so a wrong one would fail
 * the asker's own code with a ClassCastException that names nothing.
 */
public final class AnswerTypes {
    private static final ClassValue<Class<?>> TYPES = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> message) {
            return Objects.requireNonNullElse(raw(argument(message)), Object.class);
        }
    };

    private AnswerTypes() {}

    /** The class that answers must have; Object where the message does not say. */
    public static Class<?> of(Class<?> message) {
        return TYPES.get(message);
    }

    /** Whether the answer is one to the message; null always is. */
    public static boolean fits(Object message, @Nullable Object answer) {
        return answer == null || of(message.getClass()).isInstance(answer);
    }

    /** The error text for an answer that does not fit. */
    public static String mismatch(String entity, Object message, Object answer) {
        return "entity '" + entity + "' answered " + message.getClass().getName() + " with a "
                + answer.getClass().getName() + "; its Ask says "
                + of(message.getClass()).getName();
    }

    /** The failure of an ask with such an answer. */
    public static ShardingException failure(String entity, Object message, Object answer) {
        return new ShardingException(FailureCode.INVALID_ANSWER, mismatch(entity, message, answer));
    }

    /** The type argument R of Ask in this class; null if it is no Ask, or does not say. */
    private static @Nullable Type argument(Class<?> type) {
        return Stream.concat(Arrays.stream(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()))
                .map(AnswerTypes::argumentOf)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Type argumentOf(Type parent) {
        if (parent instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            return raw == Ask.class ? generic.getActualTypeArguments()[0] : given(argument(raw), raw, generic);
        }
        return parent instanceof Class<?> plain ? argument(plain) : null;
    }

    /** The type argument of a class for the variable that its generic parent passes on. */
    private static @Nullable Type given(@Nullable Type argument, Class<?> parent, ParameterizedType generic) {
        int index = argument instanceof TypeVariable<?> variable
                ? Arrays.asList(parent.getTypeParameters()).indexOf(variable)
                : -1;
        return index < 0 ? argument : generic.getActualTypeArguments()[index];
    }

    private static @Nullable Class<?> raw(@Nullable Type type) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        return type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> plain
                ? plain
                : null;
    }
}
