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
 * Locks by which the processes of a cluster on one host see each other. Each process holds its lock until it ends, so
 * the others see it also while it is frozen. The kernel releases the lock of a process that has died. A lock is a
 * socket ({@link HostMarks}) and a locked file; either is enough. The socket is visible even if the file was removed,
 * or the process has a temporary directory of its own; the file is for systems that do not list sockets. Each process
 * has one file, named after its address, in a directory named after the cluster below {@code
 * java.io.tmpdir}/shardbus-locks. Every method blocks.
 */
final class HostLocks {
    private static final Logger LOG = LoggerFactory.getLogger(HostLocks.class);
    private static final String SUFFIX = ".lock";
    /**
     * Files that this JVM has locked, or checks now. They are not opened again, as closing any channel of a file ends
     * the JVM's lock on the file.
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

        /** Whether it has a socket, which every process of the network namespace sees whatever its file system. */
        boolean isMarked() {
            return marked;
        }

        /** Releases the lock. The file is deleted first: a process that has opened it meanwhile finds it deleted. */
        void release() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.debug("the file {} was not removed; it is no longer locked", file, e);
            }
            channels.forEach(HostLocks::close);
            OWN.remove(file);
        }
    }

    /**
     * Takes the lock of a process that listens at this port; empty while another process holds it, or is checking the
     * file.
     *
     * @throws IllegalStateException if neither a socket can be bound nor a file locked
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
                    "the lock by which the nodes of one host see each other cannot be taken: neither by UDP port "
                            + port + " of " + marks.address() + " nor by a file in " + directory
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
            LOG.debug("no lock file can be created: only the socket shows this process to others", e);
            return true;
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("a host lock was not released: it ends with this process", e);
        }
    }

    /**
     * Locks the file; empty if another process has it locked, or has deleted it meanwhile. Only the process that
     * listens at the address creates its file, so a file that exists after the locking is the one that was locked.
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

    /** Makes a path writable for all, as processes of other users of the host may be nodes, too. */
    private static void openToAll(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            LOG.debug("{} belongs to another user", path, e);
        }
    }

    /**
     * The addresses of the living processes, in the form of file names. Removes the files of processes that have ended.
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
     * Whether a living process of the cluster could not bind the socket of its own port: {@link #held} shows it only if
     * this process can see its file.
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
                if (isHeld(file)) {
                    var name = file.getFileName().toString();
                    held.add(name.substring(0, name.length() - SUFFIX.length()));
                }
            }
        }
    }

    /** A file that another thread of this JVM locks, or checks, counts as held: opening it could end that lock. */
    private static boolean isHeld(Path file) throws IOException {
        if (!OWN.add(file)) {
            return true;
        }
        try {
            return isHeldByAnother(file);
        } finally {
            OWN.remove(file);
        }
    }

    private static boolean isHeldByAnother(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (isLocked(channel)) {
                Files.deleteIfExists(file);
                return false;
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (AccessDeniedException e) {
            // of another user: the process may be alive
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
