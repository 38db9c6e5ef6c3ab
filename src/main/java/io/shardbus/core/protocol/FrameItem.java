package io.shardbus.core.protocol;

import io.shardbus.model.FencingToken;
import org.jspecify.annotations.Nullable;

/** Item of a frame between two lanes. */
public sealed interface FrameItem
        permits Envelope,
                FrameItem.Reply,
                FrameItem.Drained,
                FrameItem.WantStates,
                FrameItem.State,
                FrameItem.Undecodable,
                FrameItem.Unknown {
    void accept(Visitor visitor);

    /** One method for each kind. */
    interface Visitor {
        void message(Envelope envelope);

        void reply(Reply reply);

        void drained(Drained drained);

        void wantStates(WantStates wanted);

        void state(State item);

        void undecodable(Undecodable item);

        void unknown(Unknown item);
    }

    /**
     * The end of an ask.
     *
     * @param ask the asker's number
     * @param value the answer, if failure is null
     */
    record Reply(long ask, @Nullable Object value, @Nullable Failure failure, ItemHeaders headers)
            implements FrameItem {
        public Reply(long ask, @Nullable Object value, @Nullable Failure failure) {
            this(ask, value, failure, ItemHeaders.NONE);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.reply(this);
        }
    }

    /** The sender has sent its last message for this shard: the handoff may go on. */
    record Drained(int shard, FencingToken version) implements FrameItem {
        @Override
        public void accept(Visitor visitor) {
            visitor.drained(this);
        }
    }

    /** The sender is the shard's next home: it wants the states of the entities that this life of the shard had. */
    record WantStates(int shard, FencingToken token) implements FrameItem {
        @Override
        public void accept(Visitor visitor) {
            visitor.wantStates(this);
        }
    }

    /**
     * A part of the answer to {@link WantStates}.
     *
     * @param state null in the last part, which is always sent
     * @param remaining how many parts follow
     */
    record State(int shard, FencingToken token, @Nullable EntityState state, int remaining) implements FrameItem {
        @Override
        public void accept(Visitor visitor) {
            visitor.state(this);
        }
    }

    /**
     * An item of a kind that a later build has and this one does not know. Never sent.
     *
     * @param ask the number of an ask; 0 for none
     * @param ends whether the ask is this lane's own, and ends; else the sender waits for its answer
     */
    record Unknown(int kind, long ask, boolean ends) implements FrameItem {
        @Override
        public void accept(Visitor visitor) {
            visitor.unknown(this);
        }
    }

    /** A message whose payload the receiver could not read: it fails alone. Never sent. */
    record Undecodable(long ask, int shard, String entityId, String problem) implements FrameItem {
        @Override
        public void accept(Visitor visitor) {
            visitor.undecodable(this);
        }
    }
}
