package io.shardbus.projection;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.OffsetStore.Move;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Moves the offsets of a worker's logs. One call of the store is under way at a time, and the next call takes all moves
 * that wait: a single move does not wait, and the moves of many logs share a commit. Used on one event loop.
 */
final class OffsetMoves {
    private final OffsetStore offsets;
    private final String projection;
    private final FencingToken token;
    private final Map<Move, Promise<Boolean>> waiting = new LinkedHashMap<>();
    private boolean isBusy;

    OffsetMoves(OffsetStore offsets, String projection, FencingToken token) {
        this.offsets = offsets;
        this.projection = projection;
        this.token = token;
    }

    /** Moves the offset of a log that has no other move under way; true if the offset moved. */
    Future<Boolean> move(Move move) {
        Promise<Boolean> moved = Promise.promise();
        waiting.put(move, moved);
        if (!isBusy) {
            send();
        }
        return moved.future();
    }

    private void send() {
        Map<Move, Promise<Boolean>> sent = new LinkedHashMap<>(waiting);
        waiting.clear();
        isBusy = true;
        List<Move> moves = new ArrayList<>(sent.keySet());
        CallerContext.complete(UserCode.call(() -> offsets.moveAll(projection, moves, token)))
                .map(moved -> Objects.requireNonNull(moved, "the logs whose offsets the store has moved"))
                .onComplete(answer -> {
                    isBusy = false;
                    sent.forEach((move, moved) -> {
                        if (answer.succeeded()) {
                            moved.complete(answer.result().contains(move.log()));
                        } else {
                            moved.fail(answer.cause());
                        }
                    });
                    if (!isBusy && !waiting.isEmpty()) {
                        send();
                    }
                });
    }
}
