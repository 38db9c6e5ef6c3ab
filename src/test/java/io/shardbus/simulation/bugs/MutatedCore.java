package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import io.shardbus.simulation.seeds.SeedRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * All of Shardbus and its simulator once more, in a class loader of their own, with a mistake in it. The mistake is put
 * into the source and compiled, so that nothing in the real code need know of mistakes.
 */
final class MutatedCore extends ClassLoader {
    private static final Path SOURCES = Path.of("src/main/java/io/shardbus/core");
    /** Where the simulated store of ids is: a store is part of the promise, though not of the core. */
    private static final Path SIMULATED = Path.of("src/test/java/io/shardbus");
    /** Before a file that is neither of the core nor of the simulation: the runtime of persistent entities. */
    private static final String MAIN = "main/";

    private static final Path ALL = Path.of("src/main/java/io/shardbus");

    private final Map<String, byte[]> mutated;
    private final Method broken;

    MutatedCore(SeededBug bug) {
        super(MutatedCore.class.getClassLoader());
        this.mutated = compile(mutatedSources(bug));
        try {
            this.broken = loadClass(SeedRun.class.getName()).getMethod("broken", String.class, long.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a seed breaks; empty if it breaks nothing. */
    String broken(Family family, long seed) {
        try {
            return (String) broken.invoke(null, family.name(), seed);
        } catch (InvocationTargetException e) {
            return "EXCEPTION: " + e.getCause();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.shardbus.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] code = bytes(name);
                loaded = defineClass(name, code, 0, code.length);
            }
            return loaded;
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        byte[] code = mutated.get(name);
        if (code != null) {
            return code;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** The sources with the mistake in them, by their files. */
    static Map<String, String> mutatedSources(SeededBug bug) {
        Map<String, String> sources = new LinkedHashMap<>();
        for (SeededBug.Edit edit : bug.edits()) {
            String source = sources.computeIfAbsent(edit.file(), MutatedCore::source);
            int at = source.indexOf(edit.text());
            if (at < 0 || source.indexOf(edit.text(), at + 1) >= 0) {
                throw new IllegalStateException("'" + bug + "' cannot be put into " + edit.file()
                        + " any more: it must contain exactly once: " + edit.text());
            }
            sources.put(edit.file(), source.replace(edit.text(), edit.instead()));
        }
        return sources;
    }

    private static String source(String file) {
        try {
            Path path = file.startsWith(MAIN)
                    ? ALL.resolve(file.substring(MAIN.length()))
                    : (file.startsWith("simulation/") ? SIMULATED : SOURCES).resolve(file);
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, byte[]> compile(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        StringWriter complaints = new StringWriter();
        InMemory memory = new InMemory(files);
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((file, text) -> units.add(new Source(file, text)));
        boolean compiled = compiler.getTask(
                        complaints,
                        memory,
                        null,
                        List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path")),
                        null,
                        units)
                .call();
        if (!compiled) {
            throw new IllegalStateException(complaints.toString());
        }
        Map<String, byte[]> classes = new HashMap<>();
        memory.classes.forEach((name, code) -> classes.put(name, code.toByteArray()));
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("memory:///io/shardbus/core/" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream code = new ByteArrayOutputStream();
            classes.put(className, code);
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return code;
                }
            };
        }
    }
}
