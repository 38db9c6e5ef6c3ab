/**
 * Split-brain resolver: strategies that select the side of a split as functions of a snapshot, and the machine that
 * decides in time. By default the caches count the members of a side, and {@link StoreMajority} takes their answer.
 *
 * <p>Not allowed in: membership, arbiters and the term record, which the resolver asks for by {@link SplitCommand}. Of
 * Shardbus only {@code model} is used here.
 */
@NullMarked
package io.shardbus.core.splitbrain;

import org.jspecify.annotations.NullMarked;
