/**
 * Records of numbered fields: what is stored and what is sent, in a form in which a reader skips what it does not know.
 *
 * <p>Not allowed in: the messages and records that are written in this form, and Vert.x.
 */
@NullMarked
package io.shardbus.wire;

import org.jspecify.annotations.NullMarked;
