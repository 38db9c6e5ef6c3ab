package io.shardbus.membership;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of a host: each process of a cluster holds one until it ends, so that it is seen also while it is frozen
 * and answers no candidate. The kernel releases the lock of a process that has died. A lock is a socket
 * ({@link HostMarks}) and a locked file: either is enough. The socket is seen also when a cleaner has removed the file,
 * or the process has a temporary directory of its own; the file is for systems that do not list sockets. One file for
 * each process, named after its address, in a directory of the cluster's name below {@code java.io.tmpdir}. Every
 * method blocks.
 */
final class HostLocks {
    private static final Logger LOG = LoggerFactory.getLogger(HostLocks.class);
    private static final String SUFFIX = ".lock";
    /**
     * Files that this JVM has locked: they are not opened again, as closing any channel of a file ends the JVM's lock
     * on it.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final HostMarks marks;
    private final InetAddress host;

    /**
     * @param clusterName only processes of this cluster see each other here
     * @param host the address at which these processes listen
     */
    HostLocks(Path root, String clusterName, InetAddress host) {
        this.directory = root.resolve(fileName(clusterName));
        this.marks = new HostMarks(clusterName);
        this.host = host;
    }

    static HostLocks of(String clusterName, InetAddress host) {
        return new HostLocks(Path.of(System.getProperty("java.io.tmpdir"), "shardbus-locks"), clusterName, host);
    }

    /** A lock that is held. */
    static final class Held {
        private final Path file;
        private final List<Channel> channels = new ArrayList<>();
        private boolean marked;

        private Held(Path file) {
            this.file = file;
        }

        /**
         * Whether the kernel shows it to every process of the network namespace, independent of the files that these
         * see.
         */
        boolean isMarked() {
            return marked;
        }

        /**
         * Ends this node's presence. The file is deleted first: a process that has opened it meanwhile finds it gone.
         */
        void release() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.debug("the file {} was not removed: it is not locked from now on", file, e);
            }
            channels.forEach(HostLocks::close);
            OWN.remove(file);
        }
    }

    /**
     * Takes the lock of a process that listens at this port; empty while another process has it, or looks at the file.
     *
     * @throws IllegalStateException if there can be neither a socket nor a file
     */
    Optional<Held> tryAcquire(int port) {
        var file = directory.resolve(seat(port) + SUFFIX);
        if (!OWN.add(file)) {
            return Optional.empty();
        }
        var held = new Held(file);
        boolean complete = false;
        try {
            complete = !marks.taken().contains(port) && take(port, held);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no lock can be taken, by which the nodes of one host see each other: neither at port " + port
                            + " for UDP of " + marks.address() + " nor in " + directory
                            + " (the system property java.io.tmpdir says where): " + e,
                    e);
        } finally {
            if (!complete) {
                held.channels.forEach(HostLocks::close);
                OWN.remove(file);
            }
        }
        return complete ? Optional.of(held) : Optional.empty();
    }

    private boolean take(int port, Held held) throws IOException {
        marks.take(port).ifPresent(held.channels::add);
        boolean marked = !held.channels.isEmpty() && marks.taken().contains(port);
        held.marked = marked;
        if (!marked) {
            marks.takeWithoutPlace().ifPresent(held.channels::add);
        }
        try {
            prepare();
            var locked = lock(held.file);
            locked.ifPresent(held.channels::add);
            return locked.isPresent();
        } catch (IOException e) {
            if (!marked) {
                throw e;
            }
            LOG.debug("no lock file can be made: the socket alone shows this process to others", e);
            return true;
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("a lock was not released: it ends with this process", e);
        }
    }

    /**
     * Only the process that listens at the address creates its file, so a file that is there now is the one that was
     * locked.
     */
    private static Optional<Channel> lock(Path file) throws IOException {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (isLocked(channel) && Files.exists(file)) {
            openToAll(file);
            return Optional.of(channel);
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
     * The addresses of the processes that live, in the form of file names. Files of processes that have ended are
     * removed.
     *
     * @throws UncheckedIOException if the sockets or the directory cannot be read
     */
    Set<String> held() {
        try {
            var held = new TreeSet<String>();
            marks.taken().forEach(port -> held.add(seat(port)));
            if (Files.isDirectory(directory)) {
                addFiles(held);
            }
            return held;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether a process of the cluster lives here that has no socket for its place: {@link #held} shows it only if this
     * process can see its file.
     *
     * @throws UncheckedIOException if the sockets cannot be read
     */
    boolean hasUnplaced() {
        try {
            return marks.hasUnplaced();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addFiles(Set<String> held) throws IOException {
        try (var files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (var file : files) {
                if (OWN.contains(file) || isHeld(file)) {
                    var name = file.getFileName().toString();
                    held.add(name.substring(0, name.length() - SUFFIX.length()));
                }
            }
        }
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

    private String seat(int port) {
        return fileName(new OwnPlace(new InetSocketAddress(host, port)).name());
    }

    /** The file name for a name. */
    static String fileName(String name) {
        return name.replace(':', '_').replace('/', '_');
    }
}
