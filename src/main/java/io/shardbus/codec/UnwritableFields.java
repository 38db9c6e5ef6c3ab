package io.shardbus.codec;

import com.fasterxml.jackson.annotation.JacksonAnnotation;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Fields of records of which their class alone says that no message with them reaches another node. */
final class UnwritableFields {
    private static final TypeFactory TYPES = RecordJson.BARE.types();
    private static final Set<Class<?>> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private final List<String> found = new ArrayList<>();
    private final Set<JavaType> seen = new HashSet<>();

    private final RecordJson json;

    private UnwritableFields(RecordJson json) {
        this.json = json;
    }

    /** Each with its record and its class, in the order of the classes. */
    static List<String> of(Collection<JavaType> classes, RecordJson json) {
        var fields = new UnwritableFields(json);
        classes.forEach(fields::look);
        return List.copyOf(fields.found);
    }

    private void look(JavaType type) {
        if (type.getRawClass().isRecord() && seen.add(type)) {
            for (var component : type.getRawClass().getRecordComponents()) {
                if (!isAnnotated(component) && !isAnnotated(component.getAccessor())) {
                    look(type, component, TYPES.resolveMemberType(component.getGenericType(), type.getBindings()));
                }
            }
        }
    }

    /** Annotations of Jackson may say how the field is written. */
    private static boolean isAnnotated(AnnotatedElement element) {
        return Stream.of(element.getAnnotations())
                .anyMatch(each -> each.annotationType().isAnnotationPresent(JacksonAnnotation.class));
    }

    private void look(JavaType owner, RecordComponent component, JavaType type) {
        var raw = type.getRawClass();
        if (OPTIONALS.contains(raw)) {
            if (!json.hasFormOf(raw)) {
                add(owner, component, raw, "is no JSON value without jackson-datatype-jdk8");
            }
        } else if (type.isContainerType()) {
            look(owner, component, type.getContentType());
        } else if (raw.isInterface() && raw.isSealed() && !raw.isAnnotationPresent(JsonTypeInfo.class)) {
            add(owner, component, raw, "does not say which of its classes a value is: it needs @JsonTypeInfo");
        } else {
            look(type);
        }
    }

    private void add(JavaType owner, RecordComponent component, Class<?> type, String why) {
        found.add(owner.getRawClass().getSimpleName() + "." + component.getName() + ": " + type.getName() + " " + why);
    }
}
