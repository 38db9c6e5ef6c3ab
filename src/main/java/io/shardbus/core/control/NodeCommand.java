package io.shardbus.core.control;

import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import org.jspecify.annotations.Nullable;

/** Command of the control plane of a node; a list of them is executed in its order. */
public sealed interface NodeCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void elected(Elected command);

        void decided(Decided command);

        void coordinated(Coordinated command);

        void send(Send command);

        void broadcast(Broadcast command);

        void turnTo(TurnTo command);

        void permit(Permit command);

        void deliver(Deliver command);

        void nodesChanged(NodesChanged command);

        void excuse(Excuse command);

        void takeForDead(TakeForDead command);

        void doubtTime(DoubtTime command);

        void refuse(Refuse command);

        void refuseStranger(RefuseStranger command);

        void skip(Skip command);

        void ordered(Ordered command);
    }

    /**
     * A command of the election, whose consequences for this node are already drawn: what is left is to read and to
     * write the record, to look for vacant seats, and to tell operators.
     */
    record Elected(ElectionCommand command) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.elected(this);
        }
    }

    /**
     * A decision about a split, whose consequences for this node are already drawn: what is left is to make the caches
     * available or unavailable, to ask the arbiter, and to tell operators.
     */
    record Decided(SplitCommand command) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.decided(this);
        }
    }

    /**
     * A command of the coordinator of one type, which this node is in a term; never
     * {@link CoordinatorCommand.ConfirmTerm}.
     */
    record Coordinated(String type, TermId term, CoordinatorCommand command) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.coordinated(this);
        }
    }

    /** Send a message to a node. */
    record Send(NodeId to, NodeMessage message) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.send(this);
        }
    }

    /** Send a message to all other members. */
    record Broadcast(NodeMessage message) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.broadcast(this);
        }
    }

    /** The regions of this node register with the coordinator of this term. */
    record TurnTo(TermId term) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.turnTo(this);
        }
    }

    /**
     * The permission of this node's regions to run has changed.
     *
     * @param refusal why they must not; null if they may
     */
    record Permit(@Nullable String refusal) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.permit(this);
        }
    }

    /** A message for this node's region of a type. */
    record Deliver(String type, TermId term, ToRegion message) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.deliver(this);
        }
    }

    /**
     * The view has changed. The regions are told which nodes left and which joined, and the witness is asked about
     * nodes that left without a goodbye.
     */
    record NodesChanged(Peers.Change change) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.nodesChanged(this);
        }
    }

    /** The absence of this node does not keep the caches from its former members: it said goodbye or is proven dead. */
    record Excuse(NodeId node) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.excuse(this);
        }
    }

    /** The process of a node that had vanished is gone. */
    record TakeForDead(NodeId node) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.takeForDead(this);
        }
    }

    /** The clock gained so many milliseconds that may not have passed. */
    record DoubtTime(long gained) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.doubtTime(this);
        }
    }

    /**
     * A command about operators' orders, whose consequences for this node are already drawn: what is left is to read
     * and to write the record of standing orders, and to tell operators.
     */
    record Ordered(OrderCommand command) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.ordered(this);
        }
    }

    /** A message was refused, as its content is impossible. */
    record Refuse(String problem) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.refuse(this);
        }
    }

    /** A message was refused, as its sender is no member here. A joining node repeats its messages. */
    record RefuseStranger(NodeId from) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.refuseStranger(this);
        }
    }

    /** A member sent a message of a kind that this build does not know. */
    record Skip(NodeId from, int kind) implements NodeCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.skip(this);
        }
    }
}
