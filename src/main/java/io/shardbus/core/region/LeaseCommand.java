package io.shardbus.core.region;

/** Command of {@link ExternalLeases}; a list of them is executed in its order. */
public sealed interface LeaseCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void acquire(Acquire command);

        void release(Release command);

        void retryLater(RetryLater command);

        void held(Held command);

        void lost(Lost command);

        void ended(Ended command);

        void closed();
    }

    /**
     * Request the lease from its provider, and report its answer and each loss. No other request for the shard is under
     * way.
     */
    record Acquire(int shard) implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.acquire(this);
        }
    }

    /** Give the lease back to its provider, and report whether that succeeded. */
    record Release(int shard) implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.release(this);
        }
    }

    /**
     * The lease was not obtained: report after the pause that it may be requested again.
     *
     * @param pause in milliseconds
     * @param reason for the log
     */
    record RetryLater(int shard, long pause, String reason) implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.retryLater(this);
        }
    }

    /** Tell the region that the lease is held, then report that it has heard this. */
    record Held(int shard) implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.held(this);
        }
    }

    /** Tell the region that the lease is lost. */
    record Lost(int shard) implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.lost(this);
        }
    }

    /** The lease of an ended shard is given back, or could not be: the end of the shard may be told. */
    record Ended(int shard) implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.ended(this);
        }
    }

    /** After the close no lease is held, unless its release failed, and no request is under way. */
    record Closed() implements LeaseCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.closed();
        }
    }
}
