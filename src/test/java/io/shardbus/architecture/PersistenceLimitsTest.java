package io.shardbus.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits in docs/reference/persistence.md that are constants of the code have the value that they have there. */
class PersistenceLimitsTest {
    private static final Path PAGE = Path.of("docs", "reference", "persistence.md");

    /**
     * Each row by its beginning, the unit of the constants, and the constants: a class, its field, and the component
     * of a record that the field holds.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time of one call to the store | ms | options.CommonStoreOptions#DEFAULT_TIMEOUT_MS",
                "time for which commands wait | ms | persistence.spi.StoreLimits#DEFAULT.patienceMs",
                "partitions of the table of events | number | options.PostgresOptions#DEFAULT_PARTITIONS",
                "pause before a store that failed | ms | core.persistence.CommitSettings#DEFAULT.minPause",
                "pause before a store that failed | ms | core.persistence.CommitSettings#DEFAULT.maxPause",
                "commands of one event-sourced entity | number | persistence.EventSourced#COMMIT_WINDOW",
                "commands of one event-sourced entity | number | persistence.EventSourced#LARGEST_WINDOW",
                "batches under way from one lane | number | persistence.spi.StoreLimits#DEFAULT.commitsInFlight",
                "batches under way from one lane | number | persistence.spi.StoreLimits#MOST_COMMITS",
                "rows and bytes of a batch | number | core.persistence.CommitSettings#DEFAULT.batchRows",
                "rows and bytes of a batch | bytes | core.persistence.CommitSettings#DEFAULT.batchBytes",
                "bytes that wait or are under way | bytes | persistence.spi.StoreLimits#DEFAULT.commitQueueBytes",
                "entities that are read together | number | runtime.persistence.EntityReads#BATCH",
                "entities that are read together | number | persistence.spi.StoreLimits#DEFAULT.recoveriesInFlight",
                "entities that are read together | number | persistence.spi.StoreLimits#MOST_RECOVERIES",
                "events of one entity in the first read | number | runtime.persistence.EventLogs#MOST_EVENTS",
                "events of one entity in the first read | number | runtime.persistence.EventLogs#LEAST_EVENTS",
                "events of one entity in the first read | number | runtime.persistence.EventLogs#ANSWER_EVENTS",
                "events of one entity in the first read | number | runtime.persistence.LaneLogs#PAGE",
                "pause before a node gives up a shard | ms | runtime.persistence.LaneLogs#SUPERSEDED_PAUSE",
                "SQLite: calls | number | store.sqlite.SqliteThread#WAITING",
                "SQLite: calls | number | store.sqlite.SqliteThread#AT_ONCE",
                "PostgreSQL: connections | number | store.postgres.PostgresStore#VIEW_CONNECTIONS",
                "[identified commands] | number | model.Deduplication#DEFAULT.commands",
                "[identified commands] | bytes | model.Deduplication#DEFAULT.bytes",
                "bytes of an answer that is kept | bytes | core.persistence.DedupWindow#LONGEST_ANSWER",
                "key of a command id | number | model.CommandId#LONGEST_KEY",
                "how far ahead of the home | ms | model.CommandId#MOST_AHEAD_MS",
                "pause between attempts of `DeliveryRef | ms | delivery.DeliveryRef#FIRST_PAUSE_MS",
                "pause between attempts of `DeliveryRef | ms | delivery.DeliveryRef#LONGEST_PAUSE_MS",
                "pause between attempts of `DeliveryRef | ms | delivery.DeliveryRef#LONGEST_ATTEMPT",
                "deadline of `DeliveryRef | ms | delivery.DeliveryRef#LONGEST_DEADLINE",
                "deliveries of a numbered producer | number | delivery.NumberedProducer#MOST_UNSETTLED",
                "deliveries of a numbered producer | number | delivery.NumberedProducer#FULL",
                "deliveries under way from a producer | number | core.persistence.DeliveryLine#WINDOW",
                "delivery queue: partitions | number | delivery.DeliveryQueue#PARTITIONS",
                "delivery queue: commands of a partition | number | delivery.DeliveryQueue#MOST_UNCONFIRMED",
                "delivery queue: commands of a partition | bytes | delivery.DeliveryQueue#MOST_BYTES",
                "delivery queue: commands of a batch | number | delivery.QueueLine#MOST",
                "delivery queue: commands of a batch | bytes | delivery.DeliveryQueue#BATCH_BYTES",
                "delivery queue: commands of a batch | ms | delivery.DeliveryQueue#DEADLINE",
                "delivery queue: senders | number | delivery.QueueState#MOST_SESSIONS",
                "numbered producers that an entity | number | core.persistence.DeliveryWindow#MOST_PRODUCERS",
                "pause before a delivery is sent again | ms | core.persistence.DeliveryLine#FIRST_PAUSE_MS",
                "pause before a delivery is sent again | ms | core.persistence.DeliveryLine#LONGEST_PAUSE_MS",
                "pause before a delivery is sent again | ms | delivery.NumberedProducer#ATTEMPT",
                "reaction: commands of one event | number | delivery.Reaction#MOST_COMMANDS",
                "reaction: commands of one event | ms | delivery.Reaction#LONGEST_BATCH_MS",
                "reminder: workers | number | reminder.Reminders#WORKERS",
                "reminder: pause before a worker | ms | reminder.ReminderWorker#POLL_MS",
                "name of a reminder | number | runtime.persistence.SetReminders#LONGEST_NAME",
                "projection: workers | number | projection.Projection$Settings#DEFAULTS.workers",
                "projection: workers | number | projection.Projection#MOST_WORKERS",
                "projection: pause before a worker | ms | projection.Projection$Settings#DEFAULTS.pollMs",
                "projection: attempts | number | projection.Projection$Settings#DEFAULTS.attempts",
                "projection: events of one log | number | projection.Projection$Settings#DEFAULTS.batch",
                "projection: pause after a failure | ms | projection.ProjectedLog#FIRST_PAUSE_MS",
                "projection: pause after a failure | ms | projection.ProjectedLog#LONGEST_PAUSE_MS",
                "`EventSourced.withSnapshots | number | persistence.EventSourced#LARGEST_INTERVAL",
                "`EventSourced.withCommitWindow | number | persistence.EventSourced#LARGEST_WINDOW",
                "`EventSourced.withDeduplication | number | model.Deduplication#MOST_COMMANDS",
                "`EventSourced.withDeduplication | number | model.Deduplication#LEAST_BYTES",
                "`EventSourced.withDeduplication | number | model.Deduplication#MOST_BYTES",
                "name of an event | number | persistence.EventCodec$Encoded#LONGEST_NAME",
                "number of a codec | number | persistence.CodecFormats#LARGEST",
            })
    void hasTheValueOfTheConstant(String row, String unit, String constant) throws Exception {
        String cells = cells(row);
        long value = value(constant);
        assertTrue(names(cells, shown(value, unit)), () -> shown(value, unit) + " in " + cells);
        assertFalse(names(cells, shown(value + 1, unit)), () -> "any value is in " + cells);
    }

    /** The row without its first cell. */
    private static String cells(String row) throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| " + row))
                .toList();
        assertEquals(1, rows.size(), row);
        return rows.get(0).substring(rows.get(0).indexOf('|', 1));
    }

    private static boolean names(String cells, String value) {
        return Pattern.compile("(?<![\\d,.])" + Pattern.quote(value) + "(?!\\w|,\\d)")
                .matcher(cells)
                .find();
    }

    private static long value(String constant) throws ReflectiveOperationException {
        String[] place = constant.split("#", -1);
        String[] path = place[1].split("\\.", -1);
        Field field = Class.forName("io.shardbus." + place[0]).getDeclaredField(path[0]);
        field.setAccessible(true);
        Object value = field.get(null);
        if (path.length > 1) {
            Method component = value.getClass().getDeclaredMethod(path[1]);
            component.setAccessible(true);
            value = component.invoke(value);
        }
        return value instanceof Duration time ? time.toMillis() : ((Number) value).longValue();
    }

    private static String shown(long value, String unit) {
        return switch (unit) {
            case "number" -> String.format(Locale.ROOT, "%,d", value);
            case "bytes" -> inUnits(value, List.of(1L << 20, 1L << 10, 1L), List.of("MiB", "KiB", "B"));
            case "ms" -> inUnits(value, List.of(86_400_000L, 3_600_000L, 1000L, 1L), List.of("day", "hour", "s", "ms"));
            default -> throw new IllegalArgumentException(unit);
        };
    }

    /** In the largest unit that gives a whole number. */
    private static String inUnits(long value, List<Long> sizes, List<String> names) {
        for (int i = 0; i < sizes.size(); i++) {
            if (value % sizes.get(i) == 0) {
                return value / sizes.get(i) + " " + names.get(i);
            }
        }
        throw new IllegalArgumentException("no unit for " + value);
    }
}
