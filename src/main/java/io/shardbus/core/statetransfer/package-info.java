/**
 * The states of entities on their way from one home of their shard to the next.
 *
 * <p>Not allowed in: the content of a state, and the frames in which it travels, which a {@link StateTransferPort}
 * sends.
 */
@NullMarked
package io.shardbus.core.statetransfer;

import org.jspecify.annotations.NullMarked;
