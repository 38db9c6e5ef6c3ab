/**
 * Real clusters in one JVM, grouped by what they show. Here stand the pieces that the groups share: clusters, counters,
 * registries of what is live, traffic.
 */
package io.shardbus.integration;
