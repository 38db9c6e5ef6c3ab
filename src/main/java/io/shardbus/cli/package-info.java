/**
 * The command line of operators: a program of its own, which reads and steers a cluster through the admin resources of
 * any node. It uses nothing else of Shardbus.
 *
 * <pre>
 * ShardbusCommand (options of all commands)
 *   LookCommands, FollowCommands, OrderCommands, DoctorCommand
 *     NodeHttp (requests) , NodeEvents (streams)        -- to the node
 *     Output (tables for people, JSON for programs)     -- to the terminal
 * </pre>
 */
@NullMarked
package io.shardbus.cli;

import org.jspecify.annotations.NullMarked;
