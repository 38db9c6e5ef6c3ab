/** The states of entities on their way from one home of their shard to the next. */
@NullMarked
package io.shardbus.core.statetransfer;

import org.jspecify.annotations.NullMarked;
