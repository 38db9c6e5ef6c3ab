package io.shardbus.store.sqlite;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.shardbus.options.SqliteOptions;
import io.shardbus.testkit.EventStoreContract;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The store in a file keeps the contract")
class SqliteContractTest {
    @TempDir
    private static Path directory;

    @TestFactory
    Stream<DynamicTest> keepsTheContract() {
        SqliteOptions options =
                new SqliteOptions().setFile(directory.resolve("contract.db").toString());
        return EventStoreContract.checks(vertx -> SqliteStore.create(vertx, options)).stream()
                .map(check -> dynamicTest(check.name(), check::run));
    }
}
