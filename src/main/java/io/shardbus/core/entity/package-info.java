/**
 * The life of one entity: its cell, its mailbox, restarts, stop.
 *
 * <pre>
 * EntityOwner  <--- EntityCell ---> EntityCode    the shard below, the code above
 *                    |  |  |
 *              Mailbox  |  Failures               what waits and the stash; what the restart policy counts
 *                    Answers                      what leaves only under a lease
 *                    CodeCalls                    the calls of the code, which may throw
 * </pre>
 *
 * <p>Not allowed in: shards, and the code of users, which the shell calls.
 */
@NullMarked
package io.shardbus.core.entity;

import org.jspecify.annotations.NullMarked;
