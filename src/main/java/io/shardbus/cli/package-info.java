/**
 * The command line of operators: a program of its own, which reads and steers a cluster through the admin resources of
 * any node.
 *
 * <pre>
 * ShardbusCommand (options of all commands)
 *   LookCommands, FollowCommands, LoadCommands, MessageCommands, OrderCommands, DoctorCommand, ProjectionsCommand
 *     NodeHttp (requests) , NodeEvents (streams)        -- to the node
 *     Output (tables for people, JSON for programs)     -- to the terminal
 * </pre>
 *
 * <p>Not allowed in: any other package of Shardbus, as the cluster may be of another build. The only user of {@code
 * picocli}.
 */
@NullMarked
package io.shardbus.cli;

import org.jspecify.annotations.NullMarked;
