package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.launcher.demo.DemoStory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The story that the demo tells is true, also when two are told at once. */
class DemoIT {
    private static final long LONGEST_SECONDS = 90;

    @Test
    void twoDemosAtOnceTellTheirStories() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        var one = new DemoStory(lines::add);
        var other = new DemoStory(line -> {});
        var begunOther = other.begin();
        try {
            one.begin()
                    .compose(first -> one.tell())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(LONGEST_SECONDS, TimeUnit.SECONDS);
            begunOther.toCompletionStage().toCompletableFuture().get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } finally {
            one.end();
            other.end();
        }
        assertEquals(6, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith("2,000 real flights between 186 airports"), lines::toString);
        assertTrue(lines.get(5).contains("nothing was lost"), lines::toString);
    }
}
