/**
 * The way of messages: a lane, its routes to shards, its channels to other lanes, its asks.
 *
 * <pre>
 *  send --> Lane --> Routes --> at home here: HostedShards (core.hosting)
 *            |          +-----> elsewhere: Channel --> frames
 *            +-- AskTable       what waits for an answer
 * </pre>
 *
 * <p>Not allowed in: what a shard does with its messages.
 */
@NullMarked
package io.shardbus.core.routing;

import org.jspecify.annotations.NullMarked;
