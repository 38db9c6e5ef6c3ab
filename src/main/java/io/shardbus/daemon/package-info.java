/**
 * Workers that always run: a fixed number of verticles spread over a role, and one verticle that lives on exactly one
 * node. Built on top of sharding.
 *
 * <p>Not allowed in: anything that the public face of sharding does not offer, the cluster's records aside.
 */
@NullMarked
package io.shardbus.daemon;

import org.jspecify.annotations.NullMarked;
