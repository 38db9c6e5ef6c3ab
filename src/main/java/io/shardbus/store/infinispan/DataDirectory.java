package io.shardbus.store.infinispan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one node: a lock, and the files of one start of the node, or of several when a start did not come to
 * its end. Infinispan gives a cache with files all that they hold, mixed with what the cluster has, the older over the
 * newer. So every start begins with new files, what the earlier ones hold is compared with the cluster's content entry
 * by entry, and they go when that is done.
 */
final class DataDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final String LOCK = "lock";
    /**
     * Lock files that this JVM has locked. They are not opened again, as closing any channel of a file ends the JVM's
     * lock on the file.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private static final Pattern START = Pattern.compile("start-(\\d{1,18})");

    private final Path path;
    private @Nullable FileChannel lock;
    /** The file that is locked; valid while it is. */
    private Path locked;

    private List<Path> earlier = List.of();

    DataDirectory(Path path) {
        this.path = path.toAbsolutePath();
        this.locked = this.path;
    }

    /** @throws IllegalStateException if another node, or a tool, has the directory */
    void lock() {
        try {
            Files.createDirectories(path);
            var file = path.toRealPath().resolve(LOCK);
            var channel = OWN.add(file) ? tryLock(file) : null;
            if (channel == null) {
                throw new IllegalStateException(
                        "the directory " + path + " is in use: a node runs on it, or a tool works on it");
            }
            lock = channel;
            locked = file;
        } catch (IOException e) {
            throw new UncheckedIOException("the directory " + path + " cannot be used: " + e, e);
        }
    }

    /** The channel that holds the lock of a file that this JVM has not locked; null if another process has. */
    private static @Nullable FileChannel tryLock(Path file) throws IOException {
        FileChannel channel = null;
        boolean held = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            held = channel.tryLock() != null;
            return held ? channel : null;
        } catch (OverlappingFileLockException e) {
            LOG.debug("locked by this process under another name", e);
            return null;
        } finally {
            if (!held) {
                free(file, channel);
            }
        }
    }

    private static void free(Path file, @Nullable FileChannel channel) {
        try {
            if (channel != null) {
                close(channel);
            }
        } finally {
            OWN.remove(file);
        }
    }

    /** Gives the directory free, after an action that needs it; does neither without the lock. */
    void unlock(Runnable last) {
        var held = lock;
        if (held == null) {
            return;
        }
        try {
            last.run();
        } finally {
            lock = null;
            free(locked, held);
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The newest of each bucket in the files that are there. */
    Map<IdBucketCodec.Key, IdBucket> read() {
        earlier = starts();
        var newest = new HashMap<IdBucketCodec.Key, IdBucket>();
        for (var files : earlier) {
            try (var saved = SavedFiles.open(files)) {
                saved.forEach((key, bucket) -> newest.merge(key, bucket, IdBucket::mergedWith));
            }
        }
        return newest;
    }

    /** Directory for the files of this start. */
    Path next() {
        long last = starts().stream().mapToLong(DataDirectory::number).max().orElse(0);
        return path.resolve("start-" + (last + 1));
    }

    /** Deletes the files that were read. */
    void forgetEarlier() {
        earlier.forEach(DataDirectory::delete);
        earlier = List.of();
    }

    /** The files of each start, the oldest first. */
    List<Path> starts() {
        try (var found = Files.list(path)) {
            return found.filter(
                            each -> START.matcher(each.getFileName().toString()).matches())
                    .sorted(Comparator.comparingLong(DataDirectory::number))
                    .toList();
        } catch (NoSuchFileException e) {
            LOG.debug("nothing there", e);
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("the directory " + path + " cannot be read: " + e, e);
        }
    }

    private static long number(Path start) {
        return Long.parseLong(start.getFileName().toString().substring("start-".length()));
    }

    private static void delete(Path tree) {
        try (Stream<Path> all = Files.walk(tree)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + tree, e);
        }
    }
}
