package io.shardbus.store.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.ZipInputStream;
import org.infinispan.AdvancedCache;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a node with Infinispan 14.0.29 has stored is there with the line that the tests run with. The files in the
 * resources were written by {@link #main}, index and all.
 */
class FilesOfInfinispan14Test {
    private static final int ENTRIES = 50;
    private static final int REPLACED = 10;
    private static final int REMOVED = 5;

    @TempDir
    private Path directory;

    @Test
    @DisplayName("durable files of Infinispan 14 are read, and written on")
    void areRead() throws IOException {
        unpack();
        assertEquals(expected(""), content(""));
        assertEquals(expected("again"), content("again"));
        assertEquals(expected("again"), content(""));
    }

    private void unpack() throws IOException {
        try (var files =
                new ZipInputStream(FilesOfInfinispan14Test.class.getResourceAsStream("/infinispan-14.0.29.zip"))) {
            for (var entry = files.getNextEntry(); entry != null; entry = files.getNextEntry()) {
                var target = directory.resolve(entry.getName());
                Files.createDirectories(target.getParent());
                Files.copy(files, target);
            }
        }
    }

    private static Map<String, String> expected(String more) {
        var expected = new TreeMap<String, String>();
        for (int i = REMOVED; i < ENTRIES; i++) {
            expected.put("key ü " + i, (i < REPLACED ? "new " : "old ") + "x".repeat(i));
        }
        if (!more.isEmpty()) {
            expected.put(more, more);
            expected.put("key ü " + REMOVED, more);
        }
        return expected;
    }

    /** @param more is written before, if it is not empty */
    private Map<String, String> content(String more) {
        UnfinishedWrites.cut(directory);
        var container = SavedFiles.localContainer();
        try {
            container.start();
            var cache = RememberedCache.obtain(container, directory);
            if (!more.isEmpty()) {
                put(cache, more, more);
                put(cache, "key ü " + REMOVED, more);
            }
            var content = new TreeMap<String, String>();
            cache.forEach((key, value) -> content.put(text(key), text(value)));
            content.forEach((key, value) -> assertEquals(value, text(cache.get(bytes(key)))));
            return content;
        } finally {
            container.stop();
        }
    }

    /** @param args the directory */
    public static void main(String[] args) {
        var manager = ShardbusClusterManager.create(new ClusterOptions().setClusterName("files-" + UUID.randomUUID()));
        var container = (DefaultCacheManager) manager.container();
        container.start();
        var cache = RememberedCache.obtain(container, Path.of(args[0]));
        for (int i = 0; i < ENTRIES; i++) {
            put(cache, "key ü " + i, "old " + "x".repeat(i));
        }
        for (int i = 0; i < REPLACED; i++) {
            put(cache, "key ü " + i, "new " + "x".repeat(i));
        }
        for (int i = 0; i < REMOVED; i++) {
            cache.remove(bytes("key ü " + i));
        }
        assertTrue(cache.size() == ENTRIES - REMOVED, "all are stored");
        container.stop();
    }

    private static void put(AdvancedCache<byte[], byte[]> cache, String key, String value) {
        cache.put(bytes(key), bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
