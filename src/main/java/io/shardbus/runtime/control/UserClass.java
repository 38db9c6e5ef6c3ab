package io.shardbus.runtime.control;

import io.vertx.core.Vertx;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/** An object of a class that this node's own configuration names. */
final class UserClass {
    private UserClass() {}

    /**
     * Makes an object by the public constructor that takes the Vertx, or else by the one without parameters.
     *
     * @throws IllegalArgumentException naming option and class, if that is not possible
     */
    static <T> T create(String option, String name, Class<T> type, Vertx vertx) {
        try {
            Class<?> found = Class.forName(name, true, loader());
            if (!type.isAssignableFrom(found)) {
                throw refusal(option, name, "it does not implement " + type.getName(), null);
            }
            if (!Modifier.isPublic(found.getModifiers()) || Modifier.isAbstract(found.getModifiers())) {
                throw refusal(option, name, "it must be public and not abstract", null);
            }
            return type.cast(make(found, vertx));
        } catch (NoSuchMethodException e) {
            throw refusal(option, name, "it needs a public constructor that takes the Vertx, or nothing", e);
        } catch (InvocationTargetException e) {
            throw refusal(option, name, "its constructor failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw refusal(option, name, "the class cannot be loaded: " + e, e);
        }
    }

    private static Object make(Class<?> type, Vertx vertx) throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Vertx.class) {
                return constructor.newInstance(vertx);
            }
        }
        return type.getConstructor().newInstance();
    }

    private static ClassLoader loader() {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread != null ? ofThread : UserClass.class.getClassLoader();
    }

    private static IllegalArgumentException refusal(
            String option, String name, String reason, @Nullable Throwable cause) {
        return new IllegalArgumentException("option '" + option + "' = \"" + name + "\": " + reason, cause);
    }
}
