package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import java.util.Set;

/** Command of a split-brain resolver; a list of them is executed in its order. */
public sealed interface SplitCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void hold(Hold command);

        void goOn(GoOn command);

        void stop(Stop command);

        void readRecord(ReadRecord command);

        void giveUpCaches(GiveUpCaches command);

        void rejoin(Rejoin command);

        void askArbiter(AskArbiter command);

        void releaseArbiter(ReleaseArbiter command);

        void warn(Warn command);
    }

    /** No node may claim a term or give away shards of the lost, until one of the next three comes. */
    record Hold(Set<NodeId> lost) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.hold(this);
        }
    }

    /**
     * This side goes on without the lost.
     *
     * @param override whether the caches refuse this side and must be made available to it first
     */
    record GoOn(Set<NodeId> lost, boolean override, String reason) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.goOn(this);
        }
    }

    /**
     * This side stops its entities and waits until its lost members are back.
     *
     * @param yield whether the caches must be made unavailable to this side: another side's content counts when they
     *     meet
     */
    record Stop(Set<NodeId> lost, boolean yield, String reason) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.stop(this);
        }
    }

    /** Read the term record as it is in the caches that this side has; the answer comes back with this. */
    record ReadRecord(long number) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.readRecord(this);
        }
    }

    /**
     * The caches have become available to sides that had stopped, and no node of them goes on. The caches must be made
     * unavailable, as another side may have gone on, and its content counts when they meet. Each node of the side does
     * it, as the others may not have stopped, or not be able to.
     */
    record GiveUpCaches(Set<NodeId> lost) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.giveUpCaches(this);
        }
    }

    /**
     * No member is lost any more, or the side that went on is met: this side goes on, or takes part again if it had
     * stopped.
     *
     * @param deaths whether some of those that it lost are dead: they may have reigned meanwhile, by a record that died
     *     with them
     */
    record Rejoin(boolean stopped, boolean deaths) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.rejoin(this);
        }
    }

    /**
     * Ask the arbiter in the name of this side; its answer comes back with this.
     *
     * @param stamp unique to this request
     * @param shared whether another node may ask in the same name
     */
    record AskArbiter(long question, String owner, String stamp, boolean shared) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.askArbiter(this);
        }
    }

    /** Give the arbiter's lease back if this owner has it under this stamp; otherwise answer with the present stamp. */
    record ReleaseArbiter(String owner, String stamp) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.releaseArbiter(this);
        }
    }

    /** Tell the operator. */
    record Warn(String text) implements SplitCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.warn(this);
        }
    }
}
