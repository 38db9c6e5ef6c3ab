/**
 * Workers that always run: a fixed number of verticles spread over a role, and one verticle that lives on exactly one
 * node. Built on top of sharding.
 *
 * <p>Not allowed in: uses of sharding beyond its public API, except for the cluster's records.
 */
@NullMarked
package io.shardbus.daemon;

import org.jspecify.annotations.NullMarked;
