package io.shardbus.core.control;

import io.shardbus.core.protocol.OperatorOrder;

/**
 * Event about operators' orders and the record that holds them. An operation on the record that this node wanted ends
 * with one {@link Read}, {@link Written} or {@link Failed}.
 */
public sealed interface OrderEvent {
    void accept(Visitor visitor);

    /** One method for each event. */
    interface Visitor {
        void given(Given event);

        void read(Read event);

        void written(Written event);

        void failed(Failed event);

        void retryDue(RetryDue event);
    }

    /**
     * An operator gives an order that the coordinator does not refuse.
     *
     * @param id of the {@link OrderCommand.Answer}
     */
    record Given(long id, OperatorOrder order) implements OrderEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.given(this);
        }
    }

    /** The record was read. */
    record Read(long operation, WrittenOrders found) implements OrderEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.read(this);
        }
    }

    /**
     * The record was written, or says already what it was to say, or more orders would stand than are kept.
     *
     * @param before the orders that stood before
     * @param now the record after it
     */
    record Written(long operation, StandingOrders before, WrittenOrders now) implements OrderEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.written(this);
        }
    }

    /**
     * An operation failed; a write may have been made nevertheless.
     *
     * @param superseded whether a later reign has written the record, so that this operation has changed nothing
     */
    record Failed(long operation, boolean superseded, String why) implements OrderEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.failed(this);
        }
    }

    /** The pause after a failed write is over. */
    record RetryDue(long operation) implements OrderEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.retryDue(this);
        }
    }
}
