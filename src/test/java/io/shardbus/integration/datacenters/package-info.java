/** Two clusters, each a data center, with links that can be cut. */
package io.shardbus.integration.datacenters;
