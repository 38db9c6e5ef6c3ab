package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertThrows;

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
    void anEventAndACommentAreBeats() {
        for (String beat : List.of("data: {}", ": alive")) {
            try (NodeEvents events = stream(beat, "")) {
                events.beat();
                assertThrows(CommandFailure.class, events::beat, "there is only one");
            }
        }
    }
}
