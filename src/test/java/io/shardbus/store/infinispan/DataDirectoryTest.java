package io.shardbus.store.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The data directory of a node")
class DataDirectoryTest {
    private static final int REFUSED = 3;

    @TempDir
    private Path root;

    /** Another process: it ends with {@link #REFUSED} if the directory is in use. */
    public static void main(String[] arguments) {
        try {
            new DataDirectory(Path.of(arguments[0])).lock();
        } catch (IllegalStateException e) {
            System.exit(REFUSED);
        }
    }

    private static int another(Path directory) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classes = System.getProperty("java.class.path");
        return new ProcessBuilder(java, "-cp", classes, DataDirectoryTest.class.getName(), directory.toString())
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    @DisplayName("stays locked against other processes when a second node of the same JVM is refused")
    void staysLockedAfterASecondAttempt() throws IOException, InterruptedException {
        var first = new DataDirectory(root);
        first.lock();
        assertThrows(IllegalStateException.class, new DataDirectory(root)::lock);
        assertEquals(REFUSED, another(root));
        first.unlock(() -> {});
        assertEquals(0, another(root));
    }

    @Test
    @DisplayName("is one directory under each of its names")
    void isOneUnderEachName() throws IOException, InterruptedException {
        var link = Files.createSymbolicLink(root.resolve("link"), Files.createDirectory(root.resolve("data")));
        var first = new DataDirectory(root.resolve("data"));
        first.lock();
        assertThrows(IllegalStateException.class, new DataDirectory(link)::lock);
        assertEquals(REFUSED, another(link));
        first.unlock(() -> {});
        new DataDirectory(link).lock();
    }

    @Test
    @DisplayName("can be locked again after it was refused and given free")
    void canBeLockedAgain() {
        var first = new DataDirectory(root);
        first.lock();
        var second = new DataDirectory(root);
        assertThrows(IllegalStateException.class, second::lock);
        second.unlock(() -> {});
        assertThrows(IllegalStateException.class, second::lock, "the first one has it still");
        first.unlock(() -> {});
        second.lock();
        second.unlock(() -> {});
    }
}
