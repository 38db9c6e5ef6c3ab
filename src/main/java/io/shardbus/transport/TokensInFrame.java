package io.shardbus.transport;

import io.shardbus.model.FencingToken;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The token that was last named for each shard in the present frame. */
final class TokensInFrame {
    private static final int FIRST_SHARDS = 128;

    private @Nullable FencingToken[] tokens = new FencingToken[FIRST_SHARDS];
    private long[] frames = new long[FIRST_SHARDS];
    private long frame;

    /** Nothing has been named. */
    void beginFrame() {
        frame++;
    }

    /** The token of the shard in this frame; null if none was named. */
    @Nullable
    FencingToken get(int shard) {
        return shard < frames.length && frames[shard] == frame ? tokens[shard] : null;
    }

    boolean isNamed(int shard, FencingToken token) {
        return token.equals(get(shard));
    }

    void name(int shard, FencingToken token) {
        if (shard >= frames.length) {
            int shards = Math.max(shard + 1, 2 * frames.length);
            tokens = Arrays.copyOf(tokens, shards);
            frames = Arrays.copyOf(frames, shards);
        }
        tokens[shard] = token;
        frames[shard] = frame;
    }
}
