/** The control plane of one node: which nodes are here, which of them left and how, and what ended terms left behind. Pure. */
@NullMarked
package io.shardbus.core.control;

import org.jspecify.annotations.NullMarked;
