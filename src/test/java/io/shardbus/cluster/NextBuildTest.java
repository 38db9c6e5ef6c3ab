package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The build that follows this one")
class NextBuildTest {
    @Test
    @DisplayName("is made of today's sources: the slow tests that run it would find a missing place late")
    void placesAreThere() throws IOException {
        var sources = NextBuild.sources();
        assertFalse(sources.isEmpty());
        for (var source : sources.entrySet()) {
            var today = Files.readString(Path.of("src/main/java/io/shardbus", source.getKey()));
            assertTrue(source.getValue().length() > today.length(), source.getKey());
        }
    }
}
