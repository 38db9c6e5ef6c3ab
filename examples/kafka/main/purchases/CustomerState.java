package purchases;

/**
 * A customer as one of its instances knew it.
 *
 * @param partition of the topic, and number of the shard
 * @param lastOffset of the last purchase that was counted; -1 before the first
 * @param node the node where the instance lived
 */
public record CustomerState(String id, int partition, long purchases, long cents, long lastOffset, String node) {}
