package io.shardbus.store.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The binaries of PostgreSQL from the test class path, unpacked once into the build directory, and the user that runs
 * them: PostgreSQL refuses root, so root runs them as "nobody".
 */
final class PostgresBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String VERSION = "17.8.0";
    private static final int NOBODY = 65534;
    private static final int EXECUTABLE = 0b001_000_000;

    /** An unpacked tree has its binaries, which the user can run. */
    private final Path root;

    private PostgresBinaries(Path root) {
        this.root = root;
    }

    /**
     * The binaries, in a directory that the user can reach: that of the build, or else the system's for temporary
     * files.
     *
     * @throws IOException if this machine cannot run them, with the reason
     */
    static PostgresBinaries unpacked() throws IOException {
        String system = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        if (!system.equals("Linux-amd64")) {
            throw new IOException("the test class path has PostgreSQL for Linux-amd64, and this is " + system);
        }
        IOException last = new IOException("no directory");
        for (Path home : List.of(
                Path.of("target").toAbsolutePath(),
                Path.of(System.getProperty("java.io.tmpdir"), "shardbus-" + System.getProperty("user.name")))) {
            Path root = home.resolve("postgres-" + VERSION);
            try {
                if (!Files.isDirectory(root)) {
                    unpack(root);
                }
                PostgresBinaries binaries = new PostgresBinaries(root);
                binaries.run("bin/postgres", "--version");
                return binaries;
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    /** Runs one of the binaries to its end. */
    void run(String binary, String... arguments) throws IOException {
        List<String> command = command(binary, arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(root.toFile())
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(command + " failed: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The command line that runs a binary as a user whom PostgreSQL accepts. */
    List<String> command(String binary, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        command.add(root.resolve(binary).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** A new directory beside the binaries that belongs to the user. */
    Path newDirectory(String prefix) throws IOException {
        Path directory = Files.createTempDirectory(root.getParent(), prefix);
        if (isRoot()) {
            Files.setAttribute(directory, "unix:uid", NOBODY);
        }
        return directory;
    }

    Path root() {
        return root;
    }

    static void delete(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Under another name first: another build may unpack at the same time, and one of them is the first. */
    private static void unpack(Path root) throws IOException {
        Files.createDirectories(root.getParent());
        Path under = Files.createTempDirectory(root.getParent(), "unpacking-");
        Files.setPosixFilePermissions(under, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (InputStream packed = PostgresBinaries.class.getResourceAsStream(ARCHIVE)) {
            if (packed == null) {
                throw new IOException(ARCHIVE + " is not on the class path");
            }
            extract(new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed))), under);
        }
        try {
            Files.move(under, root, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            delete(under);
            if (!Files.isDirectory(root)) {
                throw e;
            }
        }
    }

    private static void extract(TarArchiveInputStream tar, Path into) throws IOException {
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            Path path = into.resolve(entry.getName()).normalize();
            if (!path.startsWith(into)) {
                throw new IOException("an entry outside of the archive: " + entry.getName());
            }
            Files.createDirectories(entry.isDirectory() ? path : path.getParent());
            if (entry.isSymbolicLink()) {
                Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            } else if (entry.isFile()) {
                Files.copy(tar, path);
                Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw-r--r--");
                if ((entry.getMode() & EXECUTABLE) != 0) {
                    permissions.addAll(PosixFilePermissions.fromString("--x--x--x"));
                }
                Files.setPosixFilePermissions(path, permissions);
            }
        }
    }
}
