package io.shardbus.core.datacenter;

import io.shardbus.model.Reachability;
import java.util.ArrayList;
import java.util.List;

/**
 * One node's link to another data center: when it connects and to which address, when it gives a silent connection up,
 * and when it takes the data center for unreachable. One connection at a time; the addresses take turns. Times are
 * milliseconds of a monotonic clock. For one thread.
 */
public final class LinkWatch {
    /**
     * @param heartbeat between two ticks, two pings, and two attempts to connect
     * @param unreachableAfter how long nothing may be heard
     */
    public record Times(long heartbeat, long unreachableAfter) {}

    /** Command to the runner of the link; an attempt is the number of a connection, from 1 on. */
    public sealed interface Command {
        /** Connects to an address, by its index; {@link #connected} or {@link #ended} tells what came of it. */
        record Connect(long attempt, int address) implements Command {}

        /** Closes a connection; its messages are ignored from now on. */
        record Drop(long attempt) implements Command {}

        /** Sends a ping, whose answer is {@link #heard}. */
        record Ping(long attempt) implements Command {}

        /** Tells the listeners: the data center can be reached, or cannot. */
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
    /** Moment at which a connection that had been up was replaced at once. */
    private long replacedAt;

    /** @param addresses how many there are, at least 1 */
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

    /** Time has passed; to be called once a heartbeat. */
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

    /** Another address has its turn before a silent one makes the data center unreachable. */
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

    /** The other end has answered the greeting. */
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

    /** Something came over a connection. */
    public void heard(long connection, long now) {
        if (connection == attempt && phase == Phase.UP) {
            heardAt = now;
        }
    }

    /**
     * A connection was closed, or was not made. One that had been up is replaced at once: its node may have left while
     * the others are there. Only one in a heartbeat: another end that greets and then closes is called no more often
     * than one that does not answer.
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
