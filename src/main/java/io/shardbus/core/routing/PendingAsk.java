package io.shardbus.core.routing;

import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * An ask whose answer has not come. The shell's subclass completes the asker's future. Owned by the lane that sent it.
 */
public abstract class PendingAsk {
    final long deadline;
    long number;

    @Nullable
    NodeId at;

    @Nullable
    PendingAsk next;

    @Nullable
    PendingAsk previous;

    int bucket = -1;

    /** @param deadline the moment of elapsed milliseconds at which it fails */
    protected PendingAsk(long deadline) {
        this.deadline = deadline;
    }

    public final long deadline() {
        return deadline;
    }

    /** Whether the message has left for another node. */
    protected final boolean isRemote() {
        return at != null;
    }

    /** The headers of the answer; called before the answer itself, and only if there are any. */
    public void headers(ItemHeaders headers) {}

    /** Whether the asker has been told how it ended: at the deadline it may be, while its lane is blocked. */
    public boolean isOver() {
        return false;
    }

    /** The answer has come. */
    public abstract void complete(@Nullable Object value);

    /** There will be no answer. */
    public abstract void fail(Failure failure);
}
