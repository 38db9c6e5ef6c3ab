/** Mutual TLS of a node: its certificate and key from files that may change, and the sockets of JGroups. */
@NullMarked
package io.shardbus.membership.tls;

import org.jspecify.annotations.NullMarked;
