package io.shardbus.core.control;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Gives a node's control machine its events, and has its commands executed in order. Single owner. */
public final class ControlLoop {
    private final NodeControl control;
    private final Supplier<Moment> clock;
    private final NodeCommand.Visitor runner;
    private final Runnable afterwards;
    private final ArrayDeque<NodeCommand> pending = new ArrayDeque<>();
    private boolean running;

    /** @param afterwards runs when all commands of an event are executed */
    public ControlLoop(NodeControl control, Supplier<Moment> clock, NodeCommand.Visitor runner, Runnable afterwards) {
        this.control = control;
        this.clock = clock;
        this.runner = runner;
        this.afterwards = afterwards;
    }

    /** Runs an event. The commands of an event that a command causes are executed after those that are pending. */
    public void run(BiFunction<NodeControl, Moment, List<NodeCommand>> event) {
        pending.addAll(event.apply(control, clock.get()));
        if (running) {
            return;
        }
        running = true;
        try {
            while (!pending.isEmpty()) {
                pending.remove().accept(runner);
            }
        } finally {
            running = false;
            afterwards.run();
        }
    }
}
