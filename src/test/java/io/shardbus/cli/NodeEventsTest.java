package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Server-sent events as commands wait for them. */
class NodeEventsTest {
    private static NodeEvents stream(String... received) {
        var lines = new StreamLines();
        Stream.of(received).forEach(lines::onNext);
        lines.onComplete();
        return new NodeEvents("http://127.0.0.1:8080/sharding", lines);
    }

    @Test
    void theAdviceWhenToAskAgainIsNoBeat() {
        try (NodeEvents events = stream("retry: 2000", "")) {
            assertThrows(CommandFailure.class, events::beat, "commands that count seconds would count one too few");
        }
    }

    @Test
    void theEndOfItsTimeEndsTheWaitForAnEvent() {
        try (NodeEvents silent = new NodeEvents("http://127.0.0.1:8080/sharding", new StreamLines())) {
            silent.endAfter(1);
            // a stream that is silent ends by itself, later
            CommandFailure over =
                    assertTimeout(Duration.ofSeconds(10), () -> assertThrows(CommandFailure.class, silent::next));
            assertEquals(ExitCode.UNFINISHED, over.code());
        }
    }

    @Test
    void anEventAndACommentAreBeats() {
        for (String beat : List.of("data: {}", ": alive")) {
            try (NodeEvents events = stream(beat, "")) {
                events.beat();
                assertThrows(CommandFailure.class, events::beat, "there is only one");
            }
        }
    }
}
