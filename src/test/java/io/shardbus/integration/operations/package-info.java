/** What operators see of a cluster, and what their actions do. */
package io.shardbus.integration.operations;
