package io.shardbus.core.control;

import io.shardbus.core.protocol.NodeMessage.SeatAnswered;
import io.shardbus.core.protocol.NodeMessage.SeatsAsked;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/** Command of an election; a list of them is executed in its order. */
public sealed interface ElectionCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void read(Read command);

        void replace(Replace command);

        void begin(Begin command);

        void confirmed(Confirmed command);

        void stepDown(StepDown command);

        void termBelieved(TermBelieved command);

        void termRefused(TermRefused command);

        void askSeats(AskSeats command);

        void answerSeat(AnswerSeat command);

        void revive(Revive command);
    }

    /** Read the record; its outcome comes back under the number. */
    record Read(long operation) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.read(this);
        }
    }

    /** Compare and set the record; its outcome comes back under the number. */
    record Replace(long operation, @Nullable TermRecord expected, TermRecord next) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.replace(this);
        }
    }

    /**
     * This node coordinates from now on.
     *
     * @param waitFrom leases of predecessors have run out a lease time and a margin after this moment
     * @param predecessor the term before, NONE if there was no record
     * @param confirmSent when the write that gave the authority was sent
     * @param givenUpBy the owner of the term before, if it gave up in good order: its record says so, or it has said
     *     goodbye; else null
     */
    record Begin(
            TermId term,
            TermId predecessor,
            long waitFrom,
            long confirmSent,
            @Nullable NodeId givenUpBy) implements ElectionCommand {
        /** After a term that was not given up in good order. */
        Begin(TermId term, TermId predecessor, long waitFrom, long confirmSent) {
            this(term, predecessor, waitFrom, confirmSent, null);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.begin(this);
        }
    }

    /**
     * The term was confirmed: authority lasts a lease time from the moment at which the write was sent. Announce it.
     */
    record Confirmed(TermId term, long confirmSent) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.confirmed(this);
        }
    }

    /** This node coordinates no more. */
    record StepDown(TermId term, String reason) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.stepDown(this);
        }
    }

    /**
     * A higher term that a message carried has begun; the reign of this node has ended before. The node's regions turn
     * to it.
     *
     * @param coordinator which node reigns in it; null if that is not known
     */
    record TermBelieved(TermId term, @Nullable NodeId coordinator) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.termBelieved(this);
        }
    }

    /** A message carried a term that no reign can have reached, and that the record has not shown so far. */
    record TermRefused(TermId term) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.termRefused(this);
        }
    }

    /** Ask all members, and determine which seats are vacant; the results come back under the attempt and the round. */
    record AskSeats(SeatsAsked message) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.askSeats(this);
        }
    }

    /** Answer the node that wants to found a cluster. */
    record AnswerSeat(NodeId to, SeatAnswered message) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.answerSeat(this);
        }
    }

    /**
     * All seats hold to this founding, so no other side can go on: make the record available to this one, as it is
     * denied here.
     */
    record Revive(TermId attempt) implements ElectionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.revive(this);
        }
    }
}
