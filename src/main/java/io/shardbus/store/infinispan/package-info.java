/**
 * The state store on the caches of the cluster.
 *
 * <p>Not allowed in: membership; the clustered cache manager is given.
 */
@NullMarked
package io.shardbus.store.infinispan;

import org.jspecify.annotations.NullMarked;
