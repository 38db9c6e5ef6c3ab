/**
 * The port of a store for persistent entities.
 *
 * <p>Each shard of a persistent type has one <em>log</em>: all that the entities of the shard stored, in commit order.
 * The rows of a log are numbered 1, 2, 3 and so on without gaps by its one writer, the home of the shard; the number is
 * the row's <em>position</em>. The store ensures that there is one writer: it keeps for each log the highest fencing
 * token that opened it, the number of that <em>opening</em>, and the end of the log, and refuses every write that names
 * another token, opening or end.
 *
 * <p>Group commit, recovery and deduplication are above this port, in {@code core.persistence} and
 * {@code runtime.persistence}. A store has no state of its own between two calls.
 *
 * <p>Not allowed in: uses of any other package of Shardbus than {@code model}.
 */
@NullMarked
package io.shardbus.persistence.spi;

import org.jspecify.annotations.NullMarked;
