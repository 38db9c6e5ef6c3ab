package io.shardbus.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.persistence.EventCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Samples of stored events")
class EventSamplesTest {
    sealed interface Event {}

    record Deposited(long amount) implements Event {}

    record Booked(long cents) implements Event {}

    @TempDir
    Path directory;

    private static String failure(EventCodec<Event> codec, Path directory, Event... examples) {
        return assertThrows(AssertionError.class, () -> EventSamples.check(codec, directory, List.of(examples)))
                .getMessage();
    }

    @Test
    @DisplayName("are written for examples that have none, which fails once, and are read from then on")
    void areKept() {
        EventCodec<Event> codec = EventCodec.json(Event.class).named(Deposited.class, "money/in", 2);
        assertTrue(failure(codec, directory, new Deposited(5), new Booked(6)).contains("is new"));
        assertEquals(2, EventSamples.check(codec, directory, List.of(new Deposited(5), new Booked(6))));
        assertTrue(Files.exists(directory.resolve("money%2Fin.v2.f1.event")));
    }

    @Test
    @DisplayName("fail for a codec that reads an earlier version no more, and for an event that is written otherwise")
    void areGuards() throws IOException {
        EventCodec<Event> codec = EventCodec.json(Event.class);
        Files.writeString(directory.resolve("Frozen.v1.f1.event"), "{}");
        assertTrue(failure(codec, directory).contains("Frozen.v1.f1.event cannot be read any more"));
        assertEquals(1, EventSamples.check(EventCodec.json(Event.class).ignored("Frozen"), directory, List.of()));

        Files.writeString(directory.resolve("Booked.v1.f1.event"), "{\"euros\":6}");
        assertTrue(failure(codec, directory, new Booked(6)).contains("has other bytes"));
        Files.writeString(directory.resolve("Booked.event"), "{}");
        assertTrue(failure(codec, directory).contains("Booked.event is no sample"));
    }
}
