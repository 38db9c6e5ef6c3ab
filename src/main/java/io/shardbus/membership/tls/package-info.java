/**
 * Mutual TLS of a node: its certificate and key from files that may change, and the sockets of JGroups.
 *
 * <p>Not allowed in: Infinispan, and connections that Vert.x makes, which use {@code transport.tls}.
 */
@NullMarked
package io.shardbus.membership.tls;

import org.jspecify.annotations.NullMarked;
