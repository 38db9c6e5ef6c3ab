/** Messages on their way: order, answers, buffers, back pressure, links from lane to lane. */
package io.shardbus.integration.messages;
