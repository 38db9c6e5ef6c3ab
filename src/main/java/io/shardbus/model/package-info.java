/**
 * Public values: ids, tokens, the term record, snapshots, failure codes, reasons.
 *
 * <p>Not allowed in: Vert.x, clocks, mutable state.
 */
@NullMarked
package io.shardbus.model;

import org.jspecify.annotations.NullMarked;
