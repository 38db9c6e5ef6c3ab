package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.membership.detection.Overrides;
import io.vertx.core.spi.cluster.ClusterManager;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.infinispan.commons.util.Version;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestedPlatformTest {
    private static final ClassLoader LOADER = TestedPlatformTest.class.getClassLoader();

    @Test
    void whatTheTestsRunWithIsNamedAsTested() {
        assertEquals(
                Optional.empty(),
                TestedPlatform.complaint(Version.getVersion(), org.jgroups.Version.printVersion(), LOADER));
    }

    @ParameterizedTest
    @CsvSource({"14.0.29.Final, 5.5.7", "14.0.35.Final, 5.2.26", "unknown, unknown"})
    void anotherPairIsNamed(String infinispan, String jgroups) {
        var complaint = TestedPlatform.complaint(infinispan, jgroups, LOADER).orElseThrow();
        assertTrue(
                complaint.startsWith("Infinispan " + infinispan + " with JGroups " + jgroups + " was not tested"),
                complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"org/infinispan/manager/DefaultCacheManager.class", "org/jgroups/JChannel.class"})
    @DisplayName("two Infinispans, or two JGroups, on the class path are named with where they are")
    void twoAreNamed(String mark, @TempDir Path second) throws IOException {
        Files.createDirectories(second.resolve(mark).getParent());
        Files.createFile(second.resolve(mark));
        try (var loader = new URLClassLoader(new URL[] {second.toUri().toURL()}, LOADER)) {
            var complaint = TestedPlatform.complaint(Version.getVersion(), org.jgroups.Version.printVersion(), loader)
                    .orElseThrow();
            assertTrue(complaint.contains("2 copies of " + mark) && complaint.contains(second.toString()), complaint);
            assertEquals(1, complaint.lines().count());
        }
    }

    @Test
    @DisplayName("every method of the stock cluster manager that ours replaces is checked at its start, and is there")
    void overridesOfTheClusterManager() {
        var ofTheInterface = Stream.of(ClusterManager.class.getMethods())
                .map(method -> method.getName())
                .collect(Collectors.toSet());
        var replaced = Stream.of(ShardbusClusterManager.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && ofTheInterface.contains(method.getName()))
                .map(method -> method.getName())
                .collect(Collectors.toSet());
        replaced.addAll(List.of("clusterHost", "clusterPublicHost"));
        assertEquals(replaced, ShardbusClusterManager.OVERRIDDEN);
        assertEquals(
                List.of(),
                Overrides.missing(
                        ShardbusClusterManager.class,
                        method -> ShardbusClusterManager.OVERRIDDEN.contains(method.getName())));
    }
}
