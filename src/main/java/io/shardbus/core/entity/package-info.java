/**
 * The life of one entity: its cell, its mailbox, restarts, stop.
 *
 * <pre>{@code
 * EntityOwner  <--- EntityCell ---> EntityCode    the shard below, the code above
 *                    |  |  |
 *              Mailbox  |  Failures               waiting and stashed messages; counts for the restart policy
 *                    Answers                      answers, which leave only under a valid lease
 *                    CodeCalls                    calls of the code, which may throw
 * }</pre>
 *
 * <p>Not allowed in: shards, and the code of users, which the shell calls.
 */
@NullMarked
package io.shardbus.core.entity;

import org.jspecify.annotations.NullMarked;
