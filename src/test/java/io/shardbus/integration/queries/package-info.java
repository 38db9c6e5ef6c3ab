/** What any node answers about the cluster. */
package io.shardbus.integration.queries;
