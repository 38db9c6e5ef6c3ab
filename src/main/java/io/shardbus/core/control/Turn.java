package io.shardbus.core.control;

import java.util.ArrayList;
import java.util.List;

/** One event's moment, and the commands that it has brought about so far. */
final class Turn {
    private final List<NodeCommand> commands = new ArrayList<>();
    private long now;
    private long wall;

    Turn(long now) {
        this.now = now;
    }

    void begin(long moment, long wallClock) {
        now = moment;
        wall = wallClock;
    }

    /** Elapsed milliseconds. */
    long now() {
        return now;
    }

    /** Milliseconds since 1970. */
    long wall() {
        return wall;
    }

    void add(NodeCommand command) {
        commands.add(command);
    }

    List<NodeCommand> end() {
        List<NodeCommand> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }
}
