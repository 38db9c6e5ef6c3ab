package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference page of the admin resources has a row for each operation of the OpenAPI document, and no other. */
class AdminTableTest {
    private static final Path PAGE = Path.of("docs/reference/admin.md");

    private static String row(OpenApi.Operation operation) {
        var path = "api/v1" + operation.path().replaceAll(":([a-z]+)", "{$1}");
        return "| `" + operation.method() + " " + path + "` | " + operation.summary() + " |" + cell(operation.query())
                + cell(operation.keys());
    }

    private static String cell(List<String> names) {
        return names.isEmpty() ? " |" : names.stream().collect(Collectors.joining("`, `", " `", "` |"));
    }

    @Test
    void theReferencePageHasEachOperationAndNoOther() throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        var expected = OpenApi.operations().stream().map(AdminTableTest::row).toList();
        assertTrue(expected.size() > 40, () -> expected.size() + " operations");
        assertEquals(String.join("\n", expected), String.join("\n", rows));
    }
}
