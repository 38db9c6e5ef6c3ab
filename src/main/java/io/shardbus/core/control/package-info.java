/**
 * The control plane of one node as a pure machine.
 *
 * <pre>
 *  events --> NodeControl --> commands (NodeCommand), carried out in order by a ControlLoop
 *               |-- Peers         which nodes are here, departing, lost or dead
 *               |-- SplitControl  which side of a split goes on
 *               |-- Terms         the term and coordinator believed in, the election
 *               |     +-- OrderBook      operators' orders on their way into the record
 *               +-- Reign         while this node coordinates: a Coordinator for each type
 *                     +-- FollowedOrders   the standing orders of the record, as events of the coordinators
 * </pre>
 *
 * <p>Not allowed in: clocks, messages on their way, stores, regions, logging. The simulator runs these very classes.
 */
@NullMarked
package io.shardbus.core.control;

import org.jspecify.annotations.NullMarked;
