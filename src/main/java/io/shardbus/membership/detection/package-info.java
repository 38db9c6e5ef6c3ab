/** Extensions of JGroups that notice lost members sooner and keep it from getting stuck. */
@NullMarked
package io.shardbus.membership.detection;

import org.jspecify.annotations.NullMarked;
