/** What JGroups is given to notice lost members sooner, and not to get stuck. */
@NullMarked
package io.shardbus.membership.detection;

import org.jspecify.annotations.NullMarked;
