package io.shardbus.core.protocol;

import io.shardbus.model.FencingToken;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to an entity. One object from the sender to the mailbox; on the wire its fields travel in a
 * frame. The lane that holds it owns it.
 */
public final class Envelope implements FrameItem {
    /** The payload of a request to start an entity without a message. */
    public static final Object START = new Object();

    private final int shard;
    private final String entityId;
    private final Object payload;
    private final long ask;
    private final @Nullable PeerLane origin;
    private FencingToken token = FencingToken.NONE;
    private boolean inside;
    private ItemHeaders headers = ItemHeaders.NONE;
    private ItemHeaders answerHeaders = ItemHeaders.NONE;

    /**
     * @param ask the number under which the origin waits for an answer, 0 for none
     * @param origin where the answer goes; null for this lane
     */
    public Envelope(int shard, String entityId, Object payload, long ask, @Nullable PeerLane origin) {
        this.shard = shard;
        this.entityId = entityId;
        this.payload = payload;
        this.ask = ask;
        this.origin = origin;
    }

    public int shard() {
        return shard;
    }

    public String entityId() {
        return entityId;
    }

    public Object payload() {
        return payload;
    }

    public boolean isStart() {
        return payload == START;
    }

    public long ask() {
        return ask;
    }

    public @Nullable PeerLane origin() {
        return origin;
    }

    /** The assignment under which the sender believes that the shard is at the receiver. */
    public FencingToken token() {
        return token;
    }

    public void token(FencingToken present) {
        token = present;
    }

    /** Whether an entity of its own shard has sent it. */
    public boolean isInside() {
        return inside;
    }

    /** An entity of its own shard has sent it. */
    public void inside() {
        inside = true;
    }

    /** The headers of the message. */
    public ItemHeaders headers() {
        return headers;
    }

    public void headers(ItemHeaders present) {
        headers = present;
    }

    /** The headers of the answer. */
    public ItemHeaders answerHeaders() {
        return answerHeaders;
    }

    public void answerHeaders(ItemHeaders present) {
        answerHeaders = present;
    }

    @Override
    public void accept(Visitor visitor) {
        visitor.message(this);
    }
}
