package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.EventPage;
import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A reader of events follows nodes that leave the view and come back. */
class EventCursorTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId C = new NodeId("c");

    private final Map<NodeId, Optional<QueryAnswer.Events>> answers = new HashMap<>();

    private void answers(NodeId node, long... ids) {
        List<ClusterEvent> events = LongStream.of(ids)
                .mapToObj(id -> new ClusterEvent(node, id, id, ClusterEvent.Kind.NOTE, "type", Map.of()))
                .toList();
        answers.put(node, Optional.of(new QueryAnswer.Events(events, ids.length)));
    }

    private EventPage page(String cursor) {
        return NodeOperations.page(EventCursor.parse(cursor), 100, answers);
    }

    @Test
    @DisplayName("goes on with a node that was out of the view where it had stopped")
    void keepsTheNumberOfANodeOutOfTheView() {
        answers(A, 6);
        EventPage without = page("a=5,c=7");
        assertEquals("a=6,c=7", without.cursor());
        answers(A);
        answers(C, 8, 9);
        EventPage back = page(without.cursor());
        assertEquals("a=6,c=9", back.cursor());
        assertEquals(Map.of(), back.missed());
    }

    @Test
    @DisplayName("says how many events of a node it has missed")
    void countsWhatIsMissed() {
        answers(A, 9, 10);
        answers(C, 3);
        assertEquals(Map.of(A, 3L, C, 2L), page("a=5").missed());
    }

    @Test
    @DisplayName("keeps the numbers of 20 nodes out of the view, of those that left last")
    void isBounded() {
        String gone = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> "n" + number + "=" + number)
                .collect(Collectors.joining(","));
        answers(A);
        assertEquals("a=5," + gone, page("a=5," + gone).cursor());
        String longer = page("a=5,c=7," + gone).cursor();
        assertEquals("a=5,c=7," + gone.substring(0, gone.lastIndexOf(',')), longer);
        answers(C);
        assertEquals(longer, page(longer).cursor());
    }
}
