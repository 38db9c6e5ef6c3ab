/** What JGroups is given to notice lost members sooner. */
@NullMarked
package io.shardbus.membership.detection;

import org.jspecify.annotations.NullMarked;
