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
    private static final Pattern START = Pattern.compile("start-(\\d{1,18})");

    private final Path path;
    private @Nullable FileChannel lock;
    private List<Path> earlier = List.of();

    DataDirectory(Path path) {
        this.path = path.toAbsolutePath();
    }

    /** @throws IllegalStateException if another node, or a tool, has the directory */
    void lock() {
        try {
            Files.createDirectories(path);
            var channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new IllegalStateException(
                        "the directory " + path + " is in use: a node runs on it, or a tool works on it");
            }
            lock = channel;
        } catch (IOException e) {
            throw new UncheckedIOException("the directory " + path + " cannot be used: " + e, e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            LOG.debug("locked by this process", e);
            return false;
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
            close(held);
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
