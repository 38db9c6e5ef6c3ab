package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projects that a user copies name the versions that the library is built and tested with. */
class ProjectVersionsTest {
    private static final Pattern PROPERTY = Pattern.compile("<([\\w.-]+)>([^<>]*)</\\1>");
    private static final Pattern VERSIONED =
            Pattern.compile("<artifactId>([\\w.-]+)</artifactId>\\s*<version>([^<]+)</version>");
    private static final Map<String, String> OF_ARTIFACT = Map.of(
            "shardbus", "version",
            "vertx-web", "vertx.version",
            "netty-bom", "netty.version",
            "logback-classic", "logback.version",
            "micrometer-registry-prometheus", "micrometer.version",
            "junit-jupiter", "junit.version",
            "maven-surefire-plugin", "surefire.version",
            "exec-maven-plugin", "exec-maven-plugin.version",
            "sqlite-jdbc", "sqlite.version",
            "vertx-pg-client", "vertx.version");

    private static Map<String, String> properties(String pom) {
        Map<String, String> found = new TreeMap<>();
        PROPERTY.matcher(pom).results().forEach(match -> found.putIfAbsent(match.group(1), match.group(2)));
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"examples/auction/pom.xml", "examples/kafka/pom.xml", "docs/tutorial.md"})
    void areThoseOfTheLibrary(String project) throws IOException {
        var library = properties(Files.readString(Path.of("pom.xml")));
        var text = Files.readString(Path.of(project));
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> named = new TreeMap<>();
        Matcher artifacts = VERSIONED.matcher(text);
        while (artifacts.find()) {
            var property = OF_ARTIFACT.get(artifacts.group(1));
            if (property != null) {
                expected.put(artifacts.group(1), library.get(property));
                named.put(artifacts.group(1), resolved(artifacts.group(2), text));
            }
        }
        assertFalse(named.size() < 6, named::toString);
        assertEquals(expected, named);
    }

    private static String resolved(String version, String pom) {
        return version.startsWith("${") ? properties(pom).get(version.substring(2, version.length() - 1)) : version;
    }
}
