/** How much is logged. */
@NullMarked
package io.shardbus.logging;

import org.jspecify.annotations.NullMarked;
