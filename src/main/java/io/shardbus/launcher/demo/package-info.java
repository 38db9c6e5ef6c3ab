/**
 * The demo: airports as entities, real flights as traffic, on a cluster in one process.
 *
 * <p>Not allowed in: {@code core}, {@code runtime} and {@code transport}: the demo does what an application can do.
 */
@NullMarked
package io.shardbus.launcher.demo;

import org.jspecify.annotations.NullMarked;
