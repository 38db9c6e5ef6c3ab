package io.shardbus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureCodeTest {
    @Test
    void theReferenceListsEveryCodeWithItsNumber() throws IOException {
        List<String> listed = Files.readAllLines(Path.of("docs", "reference", "failure-codes.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> cells[1].strip().replace("`", "") + " " + cells[2].strip())
                .toList();
        assertEquals(
                Arrays.stream(FailureCode.values())
                        .map(code -> code + " " + code.number())
                        .toList(),
                listed);
    }
}
