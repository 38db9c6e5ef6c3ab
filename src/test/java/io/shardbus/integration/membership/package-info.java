/** Nodes that come and leave, and who coordinates meanwhile; certificates. */
package io.shardbus.integration.membership;
