/** Ways to start: a node from a configuration file, a region from a deployment's JSON, and the demo. */
@NullMarked
package io.shardbus.launcher;

import org.jspecify.annotations.NullMarked;
