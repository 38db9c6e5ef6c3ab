package io.shardbus.core.control;

import io.shardbus.core.protocol.Failure;
import io.shardbus.model.TermId;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Command about operators' orders: what is to be done with the record that holds them, and what operators hear. */
public sealed interface OrderCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void read(Read command);

        void write(Write command);

        void retryLater(RetryLater command);

        void answer(Answer command);

        void unread(Unread command);
    }

    /** Read the record for the reign of this term. */
    record Read(long operation, TermId term) implements OrderCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.read(this);
        }
    }

    /**
     * Replace the orders of the record by what {@code change} makes of them, unless a later reign has written it.
     *
     * @param term of the reign that writes, which the record bears from then on, also where nothing else changes
     * @param renews whether the record is written also where nothing changes: an earlier write that has not ended, or
     *     failed, then finds another record, and takes hold no more
     * @param change applied again to what another writer has written meanwhile, on any thread; changes nothing once the
     *     write is given up
     */
    record Write(long operation, TermId term, boolean renews, UnaryOperator<StandingOrders> change)
            implements OrderCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.write(this);
        }
    }

    /** Say after so many milliseconds that the retry is due. */
    record RetryLater(long operation, long millis) implements OrderCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.retryLater(this);
        }
    }

    /**
     * Tell the operator how the order ended.
     *
     * @param done whether it was carried out; false without a failure if this node does not coordinate
     */
    record Answer(long id, boolean done, @Nullable Failure failure) implements OrderCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.answer(this);
        }
    }

    /** Warn: this reign could not read the record; it tries again. */
    record Unread(TermId term) implements OrderCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.unread(this);
        }
    }
}
