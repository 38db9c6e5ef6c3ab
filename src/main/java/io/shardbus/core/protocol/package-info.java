/** What nodes say to each other about shards, and who must answer what. Data messages travel in frames, see core.region. */
package io.shardbus.core.protocol;
