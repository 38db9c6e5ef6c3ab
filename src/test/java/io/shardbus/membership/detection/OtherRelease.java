package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** This package's classes as they are loaded beside another release of one library class. */
final class OtherRelease extends ClassLoader {
    private final Path classes;

    private OtherRelease(Path classes) {
        super(OtherRelease.class.getClassLoader());
        this.classes = classes;
    }

    /** @param source of the class, compiled into the directory */
    static OtherRelease with(Path directory, String name, String source) throws IOException {
        var file = directory.resolve(name.substring(name.lastIndexOf('.') + 1) + ".java");
        Files.writeString(file, source);
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", directory.toString(), file.toString());
        assertEquals(0, failures, "compilation of " + name);
        return new OtherRelease(directory);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            var loaded = findLoadedClass(name);
            var other = classes.resolve(name.replace('.', '/') + ".class");
            if (loaded == null && Files.exists(other)) {
                loaded = define(name, other);
            } else if (loaded == null && name.startsWith(OtherRelease.class.getPackageName() + ".")) {
                loaded = define(name, ownFile(name));
            }
            return loaded != null ? loaded : super.loadClass(name, resolve);
        }
    }

    private static Path ownFile(String name) {
        try {
            return Path.of(OtherRelease.class
                    .getResource("/" + name.replace('.', '/') + ".class")
                    .toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    private Class<?> define(String name, Path file) {
        try {
            var bytes = Files.readAllBytes(file);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
