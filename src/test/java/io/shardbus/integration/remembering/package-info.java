/** Remembered entities, in memory, in the cluster and in files. */
package io.shardbus.integration.remembering;
