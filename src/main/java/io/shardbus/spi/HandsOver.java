package io.shardbus.spi;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Objects;

/**
 * Implemented by an {@link io.shardbus.Entity} whose state is transferred when its shard moves: in a rebalance, a drain
 * and a graceful shutdown. The state is sent to the new home, where an instance starts at once and takes it over before
 * its first message. This does not replace a store: after a crash, and whenever a state does not arrive, the entity
 * starts without one, and the region counts the reason.
 */
public interface HandsOver {
    /**
     * State of an instance, as it travels to the new home.
     *
     * @param version the entity's own number of the format, as instances of two builds hand over to each other in a
     *     rolling update
     * @param bytes at most {@code maxPayloadBytes}, else the state is not handed over
     */
    record State(int version, Buffer bytes) {
        public State {
            Objects.requireNonNull(bytes, "bytes");
        }
    }

    /**
     * Called after the last message and the stop message, before {@code stopping}, within the stop timeout. With the
     * option {@code handoverRequired} a rebalance and a drain call this method earlier, before the stop message, while
     * the shard may still stay: the entity's messages then wait, and the entity goes on with them if its shard does not
     * move.
     *
     * @return the state for the next instance; null, or a future of null, for none
     */
    Future<State> handOver();

    /**
     * Gives a new instance the state that the last one has handed over; called before {@code started}, which waits for
     * the future. If it fails or throws, as for a version that it does not know, this instance is dropped and another
     * one starts without a state.
     *
     * @return completes when the state is taken; null means now
     */
    Future<?> takeOver(State state);
}
