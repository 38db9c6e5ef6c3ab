/** Which side of a split goes on: strategies as functions of a snapshot, and the machine that decides in time. */
@NullMarked
package io.shardbus.core.splitbrain;

import org.jspecify.annotations.NullMarked;
