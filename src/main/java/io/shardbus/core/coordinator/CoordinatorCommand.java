package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;

/** Command of a coordinator; a list of them is executed in its order. */
public sealed interface CoordinatorCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void send(Send command);

        void placeShard(PlaceShard command);

        void chooseMoves(ChooseMoves command);

        void readRememberedShards(ReadRememberedShards command);

        void confirmTerm(ConfirmTerm command);

        void exceedTerm(ExceedTerm command);

        void report(Report command);

        /** The control plane counts refused messages itself: no other visitor sees one. */
        default void refuse(Refuse command) {
            throw new IllegalStateException("refused messages are counted by the machine");
        }
    }

    /** Send a message to the region on a node. */
    record Send(NodeId to, ToRegion message) implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.send(this);
        }
    }

    /** Ask the allocation strategy for a home; the answer comes back as {@link CoordinatorEvent.ShardPlaced}. */
    record PlaceShard(int shard, NodeId requester) implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.placeShard(this);
        }
    }

    /**
     * Ask the allocation strategy what should move; the answer comes back as {@link CoordinatorEvent.MovesChosen}.
     *
     * @param most to be passed on with the answer
     */
    record ChooseMoves(int most) implements CoordinatorCommand {
        public ChooseMoves() {
            this(Integer.MAX_VALUE);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.chooseMoves(this);
        }
    }

    /**
     * Read which shards have remembered entities; the answer comes back as
     * {@link CoordinatorEvent.RememberedShardsRead}.
     */
    record ReadRememberedShards() implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.readRememberedShards(this);
        }
    }

    /**
     * Confirm the term without waiting for the next time: shards wait for a confirmation sent from now on. Harmless if
     * repeated.
     */
    record ConfirmTerm() implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.confirmTerm(this);
        }
    }

    /**
     * Claim a term above one that a region's store has stored, as that store refuses the tokens of this one. Harmless
     * if repeated.
     *
     * @param store for operators
     */
    record ExceedTerm(long stored, String store) implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.exceedTerm(this);
        }
    }

    /** Tell the operator. */
    record Report(boolean warning, String text) implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.report(this);
        }
    }

    /** Count a message that no region can have sent. */
    record Refuse(String problem) implements CoordinatorCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.refuse(this);
        }
    }
}
