/**
 * Ways to start: a node from a configuration file, a region from a deployment's JSON, and the demo.
 *
 * <p>Not allowed in: {@code core}, {@code runtime} and {@code transport}: a launcher does what an application can do.
 */
@NullMarked
package io.shardbus.launcher;

import org.jspecify.annotations.NullMarked;
