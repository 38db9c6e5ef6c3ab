/** Outside leases of shards, and the records that a majority keeps. */
package io.shardbus.integration.leases;
