/** Extensions of JGroups protocols that notice lost members sooner, and avoid known deadlocks and busy loops. */
@NullMarked
package io.shardbus.membership.detection;

import org.jspecify.annotations.NullMarked;
