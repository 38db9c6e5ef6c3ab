/**
 * Workers that always run, as entities of sharding: a fixed number of verticles spread over the nodes of a role, and
 * singletons, one verticle that lives on one node at a time.
 *
 * <p>Not allowed in: messages between nodes, and the state of regions and shards. Besides the public API the package
 * uses the cluster's records and small helpers of {@code runtime}.
 */
@NullMarked
package io.shardbus.daemon;

import org.jspecify.annotations.NullMarked;
