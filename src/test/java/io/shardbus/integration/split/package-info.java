/** Clusters that are cut and healed, and the strategies that decide which side goes on. */
package io.shardbus.integration.split;
