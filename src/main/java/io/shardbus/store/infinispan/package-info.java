/** The state store on the caches of the cluster. */
@NullMarked
package io.shardbus.store.infinispan;

import org.jspecify.annotations.NullMarked;
