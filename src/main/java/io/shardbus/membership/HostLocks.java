package io.shardbus.membership;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of a host: each process of a cluster holds one until it ends, so that it is seen also while it is frozen and answers
 * no one. The kernel releases the lock of a process that has died. One file for each process, named after its address, in a
 * directory of the cluster's name below {@code java.io.tmpdir}. Every method blocks.
 */
final class HostLocks {
    private static final Logger LOG = LoggerFactory.getLogger(HostLocks.class);
    private static final String SUFFIX = ".lock";
    /** Closing any channel of a file ends this JVM's lock on it: files of this JVM are not opened a second time. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path directory;

    HostLocks(Path root, String clusterName) {
        this.directory = root.resolve(fileName(clusterName));
    }

    static HostLocks of(String clusterName) {
        return new HostLocks(Path.of(System.getProperty("java.io.tmpdir"), "shardbus-locks"), clusterName);
    }

    /** A lock that is held. */
    static final class Held {
        private final Path file;
        private final FileChannel channel;

        private Held(Path file, FileChannel channel) {
            this.file = file;
            this.channel = channel;
        }

        /** Ends this node's presence. The file goes first: who has opened it meanwhile finds it gone. */
        void release() {
            try {
                Files.deleteIfExists(file);
                channel.close();
            } catch (IOException e) {
                LOG.warn("the lock {} was not released: it ends with this process", file, e);
            } finally {
                OWN.remove(file);
            }
        }
    }

    /**
     * Takes the lock of a process that listens at this address; empty while another process looks at the file.
     *
     * @throws IllegalStateException if the directory cannot be used
     */
    Optional<Held> tryAcquire(String seat) {
        var file = directory.resolve(fileName(seat) + SUFFIX);
        if (!OWN.add(file)) {
            return Optional.empty();
        }
        Optional<Held> held = Optional.empty();
        try {
            prepare();
            held = lock(file);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no lock can be taken in " + directory + ", where the nodes of one host see each other; the system"
                            + " property java.io.tmpdir says where it is: " + e,
                    e);
        } finally {
            if (held.isEmpty()) {
                OWN.remove(file);
            }
        }
        return held;
    }

    /** Only the process that listens at the address creates its file, so a file that is there now is the one that was locked. */
    private static Optional<Held> lock(Path file) throws IOException {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (isLocked(channel) && Files.exists(file)) {
            openToAll(file);
            return Optional.of(new Held(file, channel));
        }
        channel.close();
        return Optional.empty();
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null && lock.isValid();
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private void prepare() throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
            for (var each : List.of(directory, directory.getParent())) {
                if (Files.getFileStore(each).supportsFileAttributeView("posix") && Files.isWritable(each)) {
                    openToAll(each);
                }
            }
        }
    }

    /** Processes of other users of the host may be nodes, too. */
    private static void openToAll(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            LOG.debug("{} belongs to another user", path, e);
        }
    }

    /**
     * The addresses of the processes that are there, as their files name them. Files of processes that have ended are removed.
     *
     * @throws UncheckedIOException if the directory cannot be read
     */
    Set<String> held() {
        var held = new TreeSet<String>();
        if (!Files.isDirectory(directory)) {
            return held;
        }
        try (var files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (var file : files) {
                if (OWN.contains(file) || isHeld(file)) {
                    var name = file.getFileName().toString();
                    held.add(name.substring(0, name.length() - SUFFIX.length()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return held;
    }

    private static boolean isHeld(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (isLocked(channel)) {
                Files.deleteIfExists(file);
                return false;
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (AccessDeniedException e) {
            // of another user: whether it lives is not to be seen
            return true;
        }
    }

    /** How a name is written as that of a file. */
    static String fileName(String name) {
        return name.replace(':', '_').replace('/', '_');
    }
}
