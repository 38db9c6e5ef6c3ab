package io.shardbus.core.control;

import java.util.ArrayList;
import java.util.List;

/** One event's moment, and the commands that it has brought about so far. */
final class Turn {
    private final List<NodeCommand> commands = new ArrayList<>();
    private long now;

    Turn(long now) {
        this.now = now;
    }

    void begin(long moment) {
        now = moment;
    }

    /** Elapsed milliseconds. */
    long now() {
        return now;
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
