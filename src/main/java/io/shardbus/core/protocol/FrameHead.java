package io.shardbus.core.protocol;

import java.util.List;

/**
 * Head of a frame, before its items.
 *
 * @param epoch the life of the channel from sender to receiver; a greater one begins at number 1 again
 * @param number the frame's place in its epoch, from 1; 0 for a frame that only carries an answer
 * @param answered the sender has had the answers up to this number: the receiver may forget them
 * @param answer what the sender received on the channel in the other direction
 */
public record FrameHead(long epoch, long number, long answered, Answer answer) {
    /**
     * Frames received so far.
     *
     * @param epoch of the channel that is answered; 0 when nothing was received yet
     * @param received the last frame in order
     * @param bounces the messages among those frames that were not taken; never more than the sender has not heard of
     */
    public record Answer(long epoch, long received, List<Bounce> bounces) {
        public static final Answer NOTHING = new Answer(0, 0, List.of());
    }

    /** The items of a frame, by their index, that the receiver did not take: they were not executed. */
    public record Bounce(long frame, List<Integer> items) {}
}
