package io.shardbus.core.protocol;

/** State of an entity that stopped for a move of its shard. The bytes must not be changed. */
public final class EntityState {
    private final String entityId;
    private final int version;
    private final byte[] bytes;

    /** @param version the entity's own number of the format */
    public EntityState(String entityId, int version, byte[] bytes) {
        this.entityId = entityId;
        this.version = version;
        this.bytes = bytes;
    }

    public String entityId() {
        return entityId;
    }

    public int version() {
        return version;
    }

    public byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return entityId + ", version " + version + ", " + bytes.length + " bytes";
    }
}
