package io.shardbus.admin;

import io.shardbus.ClusterOperations;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.MovePlan;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long planned moves of a type will take, by how long its last ones took. */
final class MoveTimes {
    private static final int LAST_MOVES = 50;
    /** Plans do not wait for longer: the nodes may have many events, and one of them may not answer. */
    private static final int WAIT_MS = 2_000;

    private MoveTimes() {}

    /** Milliseconds; null where the nodes tell of no move of the type within 2 s that was not caused by a crash. */
    static Future<@Nullable Long> expected(
            ClusterOperations operations, String type, MovePlan.Action action, int moves) {
        return LastEvents.of(operations, event -> isMove(event, type), LAST_MOVES)
                .map(page -> expected(page.events(), action, moves))
                .timeout(WAIT_MS, TimeUnit.MILLISECONDS)
                .otherwise(failure -> null);
    }

    /** Shards of a node that leaves move at once, those of other actions some at a time. */
    private static @Nullable Long expected(List<ClusterEvent> last, MovePlan.Action action, int moves) {
        if (last.isEmpty()) {
            return null;
        }
        int atOnce = action == MovePlan.Action.LEAVE ? Math.max(1, moves) : CoordinatorSettings.MOVES_AT_ONCE;
        List<Long> durations = last.stream().map(MoveTimes::duration).sorted().toList();
        return durations.get(durations.size() / 2) * ((moves + atOnce - 1) / atOnce);
    }

    /** A crash is not planned, and a move that it causes waits for a lease. */
    private static boolean isMove(ClusterEvent event, String type) {
        return event.kind() == ClusterEvent.Kind.SHARD_MOVED
                && type.equals(event.details().get("type"))
                && !"crash".equals(event.details().get("cause"))
                && event.details().get("durationMs") instanceof Number;
    }

    private static long duration(ClusterEvent move) {
        return move.details().get("durationMs") instanceof Number millis ? millis.longValue() : 0;
    }
}
