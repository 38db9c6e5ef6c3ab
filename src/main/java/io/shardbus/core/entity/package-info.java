/**
 * The life of one entity: its cell, its mailbox, restarts, stop.
 *
 * <p>Not allowed in: shards, and the code of users, which the shell calls.
 */
@NullMarked
package io.shardbus.core.entity;

import org.jspecify.annotations.NullMarked;
