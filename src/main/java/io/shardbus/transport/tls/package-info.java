/** Mutual TLS of the connections that Vert.x makes for a node. */
@NullMarked
package io.shardbus.transport.tls;

import org.jspecify.annotations.NullMarked;
