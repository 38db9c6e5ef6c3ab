package io.shardbus.core.datacenter;

import io.shardbus.model.Reachability;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides for one node's link to another data center when to connect and to which address, when to drop a silent
 * connection, and when the data center counts as unreachable. One connection at a time; the addresses take turns. Times
 * are milliseconds of a monotonic clock. For one thread.
 */
public final class LinkWatch {
    /**
     * @param heartbeat interval of the ticks, the pings and the attempts to connect
     * @param unreachableAfter time without a frame after which the data center counts as unreachable
     */
    public record Times(long heartbeat, long unreachableAfter) {}

    /** Command to the runner of the link; an attempt is the number of a connection, from 1. */
    public sealed interface Command {
        /** Connect to the address of this index; the runner reports {@link #connected} or {@link #ended}. */
        record Connect(long attempt, int address) implements Command {}

        /** Close a connection; frames that still arrive on it are ignored. */
        record Drop(long attempt) implements Command {}

        /** Send a ping; the runner reports its answer, as any frame, by {@link #heard}. */
        record Ping(long attempt) implements Command {}

        /** Tell the listeners that the data center has become reachable or unreachable. */
        record Announce(boolean reachable) implements Command {}
    }

    private enum Phase {
        IDLE,
        CONNECTING,
        UP
    }

    private final Times times;
    private final int addresses;
    private Phase phase = Phase.IDLE;
    private Reachability reachability = Reachability.UNKNOWN;
    private long attempt;
    private int next;
    private long attemptedAt;
    private long heardAt;
    /** When a connection that had been up was last replaced at once. */
    private long replacedAt;

    /** @param addresses number of addresses of the data center, at least 1 */
    public LinkWatch(Times times, int addresses, long now) {
        this.times = times;
        this.addresses = addresses;
        this.heardAt = now;
        this.attemptedAt = now - times.heartbeat();
        this.replacedAt = now - times.heartbeat();
    }

    public Reachability reachability() {
        return reachability;
    }

    /** Call it once in each heartbeat interval. */
    public List<Command> tick(long now) {
        var commands = new ArrayList<Command>();
        long silent = now - heardAt;
        if (phase == Phase.UP && silent < times.unreachableAfter()) {
            return List.of(new Command.Ping(attempt));
        }
        if (phase == Phase.UP || phase == Phase.CONNECTING && now - attemptedAt >= longestAttempt()) {
            commands.add(new Command.Drop(attempt));
            phase = Phase.IDLE;
        }
        if (reachability != Reachability.UNREACHABLE && silent >= times.unreachableAfter()) {
            reachability = Reachability.UNREACHABLE;
            commands.add(new Command.Announce(false));
        }
        if (phase == Phase.IDLE && now - attemptedAt >= times.heartbeat()) {
            commands.add(connect(now));
        }
        return commands;
    }

    /** Half of the time where there are other addresses: one of them is tried before the data center is unreachable. */
    private long longestAttempt() {
        return addresses == 1 ? times.unreachableAfter() : times.unreachableAfter() / 2;
    }

    private Command connect(long now) {
        var command = new Command.Connect(++attempt, next);
        next = (next + 1) % addresses;
        attemptedAt = now;
        phase = Phase.CONNECTING;
        return command;
    }

    /** The other end has accepted the greeting. */
    public List<Command> connected(long connection, long now) {
        if (connection != attempt || phase != Phase.CONNECTING) {
            return List.of(new Command.Drop(connection));
        }
        phase = Phase.UP;
        heardAt = now;
        if (reachability == Reachability.REACHABLE) {
            return List.of();
        }
        reachability = Reachability.REACHABLE;
        return List.of(new Command.Announce(true));
    }

    /** A frame has arrived on a connection. */
    public void heard(long connection, long now) {
        if (connection == attempt && phase == Phase.UP) {
            heardAt = now;
        }
    }

    /**
     * A connection was closed, or could not be made. A connection that had been up is replaced at once, because its
     * node may have left while others serve; but at most once in a heartbeat interval, so that an address that greets
     * and then closes is tried no more often than one that does not answer.
     */
    public List<Command> ended(long connection, long now) {
        if (connection != attempt || phase == Phase.IDLE) {
            return List.of();
        }
        boolean wasUp = phase == Phase.UP;
        phase = Phase.IDLE;
        if (!wasUp || now - replacedAt < times.heartbeat()) {
            return List.of();
        }
        replacedAt = now;
        return List.of(connect(now));
    }
}
