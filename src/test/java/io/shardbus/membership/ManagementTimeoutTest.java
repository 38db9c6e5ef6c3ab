package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.options.ClusterOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the coordinator of the caches and the members wait for each other. */
class ManagementTimeoutTest {
    private static long timeout(ClusterOptions options) {
        return ClusterConfiguration.of(options, "node")
                .getGlobalConfigurationBuilder()
                .build()
                .transport()
                .distributedSyncTimeout();
    }

    @Test
    void aTenthOfItIsTwoSeconds() {
        assertEquals(20_000, timeout(new ClusterOptions()));
    }

    @Test
    void aFileThatSaysAnotherKeepsIt(@TempDir Path directory) throws IOException {
        String builtIn;
        try (var in = getClass().getResourceAsStream("/shardbus/infinispan.xml")) {
            builtIn = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        var file = Files.writeString(
                directory.resolve("own.xml"), builtIn.replace("<transport/>", "<transport lock-timeout=\"60000\"/>"));
        assertEquals(60_000, timeout(new ClusterOptions().setInfinispanConfig(file.toString())));
    }
}
