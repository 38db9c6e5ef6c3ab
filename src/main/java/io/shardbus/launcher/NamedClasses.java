package io.shardbus.launcher;

import com.fasterxml.jackson.databind.type.TypeFactory;
import io.shardbus.Entity;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The classes that a configuration names. */
final class NamedClasses {
    private NamedClasses() {}

    /** A class, which is not initialised. */
    static Class<?> find(ConfigSection section, String key) {
        var name = section.requiredText(key);
        try {
            return Class.forName(name, false, loader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw section.refusal(
                    key,
                    "class " + name + " cannot be loaded from the class path; a nested class is named Outer$Inner");
        }
    }

    private static ClassLoader loader() {
        var ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread != null ? ofThread : NamedClasses.class.getClassLoader();
    }

    /** Makes entities by the public constructor that takes the id, else by the one without parameters. */
    static <M> Function<String, Entity<M>> factory(ConfigSection section, String key, Class<M> messages) {
        var type = find(section, key, Entity.class);
        requireMessages(section, key, type, Entity.class, messages);
        return maker(section, key, type);
    }

    private static void requireMessages(
            ConfigSection section, String key, Class<?> type, Class<?> port, Class<?> messages) {
        var taken = messagesOf(type, port);
        if (!taken.isAssignableFrom(messages) && !messages.isAssignableFrom(taken)) {
            throw section.refusal(
                    key,
                    "class " + type.getName() + " takes messages of " + taken.getName() + ", but messageClass is "
                            + messages.getName() + ": set messageClass to " + taken.getName()
                            + ", or name another class here");
        }
    }

    /**
     * The message class of an entity or factory class, from its type argument; Object or a bound where that is open.
     */
    private static Class<?> messagesOf(Class<?> type, Class<?> port) {
        var parameters = TypeFactory.defaultInstance().constructType(type).findTypeParameters(port);
        return parameters.length == 0 ? Object.class : parameters[0].getRawClass();
    }

    /** Makes a factory of entities by its public constructor without parameters. */
    @SuppressWarnings("unchecked")
    static <M> EntityFactory<M> entityFactory(ConfigSection section, String key, Class<M> messages) {
        var type = find(section, key, EntityFactory.class);
        requireMessages(section, key, type, EntityFactory.class, messages);
        return (EntityFactory<M>) make(plain(section, key, type));
    }

    /** Makes a factory of persistent types by its public constructor without parameters. */
    @SuppressWarnings("unchecked")
    static <M> PersistentFactory<M> persistentFactory(ConfigSection section, String key, Class<M> messages) {
        return (PersistentFactory<M>) instance(section, key, PersistentFactory.class, messages);
    }

    private static Constructor<?> plain(ConfigSection section, String key, Class<?> type) {
        var plain = constructor(type);
        if (plain == null) {
            throw section.refusal(key, "class " + type.getName() + " needs a public constructor without parameters");
        }
        return plain;
    }

    /**
     * Makes an object by its public constructor without parameters. If the class declares its message type, that type
     * is compared.
     */
    static Object instance(ConfigSection section, String key, Class<?> port, Class<?> messages) {
        var type = find(section, key, port);
        if (port.getTypeParameters().length == 1 && port != Supplier.class) {
            requireMessages(section, key, type, port, messages);
        }
        return make(plain(section, key, type));
    }

    /** Makes objects of a class, one at each call, by its public constructor without parameters. */
    static <P> Supplier<P> eachTime(ConfigSection section, String key, Class<P> port) {
        var plain = plain(section, key, find(section, key, port));
        return () -> port.cast(make(plain));
    }

    /** A class of failures, which the key itself names. */
    static Class<? extends Throwable> throwable(ConfigSection section, String key) {
        try {
            return Class.forName(key, false, loader()).asSubclass(Throwable.class);
        } catch (ClassNotFoundException | LinkageError | ClassCastException e) {
            throw section.refusal(key, "is no class of exceptions that can be loaded from the class path");
        }
    }

    private static Class<?> find(ConfigSection section, String key, Class<?> port) {
        var type = find(section, key);
        if (!port.isAssignableFrom(type)) {
            throw section.refusal(key, "class " + type.getName() + " does not implement " + port.getName());
        }
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            throw section.refusal(key, "class " + type.getName() + " must be public and not abstract");
        }
        return type;
    }

    private static <M> Function<String, Entity<M>> maker(ConfigSection section, String key, Class<?> type) {
        var byId = constructor(type, String.class);
        if (byId != null) {
            return id -> entity(make(byId, id));
        }
        var plain = constructor(type);
        if (plain != null) {
            return id -> entity(make(plain));
        }
        throw section.refusal(
                key,
                "class " + type.getName() + " needs a public constructor without parameters or with the id, a String");
    }

    private static @Nullable Constructor<?> constructor(Class<?> type, Class<?>... parameters) {
        try {
            return type.getConstructor(parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    @SuppressWarnings("unchecked")
    private static <M> Entity<M> entity(Object made) {
        return (Entity<M>) made;
    }

    private static Object make(Constructor<?> constructor, Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(constructor + " failed", e);
        }
    }
}
