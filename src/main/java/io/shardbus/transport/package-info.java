/** Everything between nodes: control messages, frames of entity messages, queries. The only user of the event bus. */
package io.shardbus.transport;
