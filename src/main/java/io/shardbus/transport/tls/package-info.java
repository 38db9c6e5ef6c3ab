/**
 * Mutual TLS of the connections that Vert.x makes for a node.
 *
 * <p>Not allowed in: TLS of JGroups, which is in {@code membership.tls}, and any other package of Shardbus.
 */
@NullMarked
package io.shardbus.transport.tls;

import org.jspecify.annotations.NullMarked;
