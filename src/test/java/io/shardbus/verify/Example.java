package io.shardbus.verify;

/**
 * An example of which a cluster runs a process for each node.
 *
 * @param directory in examples
 * @param httpPort its node N listens on this and N
 * @param type the entity type whose shards are counted
 */
public record Example(String directory, int httpPort, String type) {
    public static final Example COUNTER = new Example("counter", 8080, "counter");
    public static final Example ACCOUNTS = new Example("persistence", 8180, "account");
}
