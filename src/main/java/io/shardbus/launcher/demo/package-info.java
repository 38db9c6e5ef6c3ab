/** The demo: airports as entities, real flights as traffic, on a cluster in one process. */
@NullMarked
package io.shardbus.launcher.demo;

import org.jspecify.annotations.NullMarked;
