package io.shardbus.simulation;

import io.shardbus.core.region.ExternalLeases;
import io.shardbus.core.region.LeaseCommand;
import io.shardbus.simulation.SimLeaseProvider.Grant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The external leases of one region: the machine that a real region has, with a simulated provider. */
final class OutsideLeases implements LeaseCommand.Visitor {
    private static final long RETRY = 60;

    private final SimNode node;
    private final Simulation world;
    private final SimType type;
    private final BiConsumer<Integer, Boolean> changed;
    private final ExternalLeases machine = new ExternalLeases(RETRY);
    /** What the provider has granted to the region and has neither taken away nor got back. */
    private final Map<Integer, Grant> held = new HashMap<>();
    /** Shards whose code may run on a lane. */
    private final Set<Integer> running = new HashSet<>();
    /** Shards with a request that has not ended. */
    private final Set<Integer> busy = new HashSet<>();

    /** Those of them that give a lease back. */
    private final Set<Integer> releasing = new HashSet<>();

    private final Map<Integer, List<Runnable>> ends = new HashMap<>();
    private final List<Runnable> closes = new ArrayList<>();
    private boolean closed;

    OutsideLeases(SimNode node, SimType type, BiConsumer<Integer, Boolean> changed) {
        this.node = node;
        this.world = node.world;
        this.type = type;
        this.changed = changed;
    }

    /** A shard starts. */
    void starts(int shard) {
        if (world.options().leased) {
            world.check(held.containsKey(shard), "shard " + shard + " starts without a lease on " + node);
            running.add(shard);
        }
    }

    void want(int shard, boolean is) {
        run(is ? machine.want(shard) : machine.cancel(shard));
    }

    /** The last code of a shard has ended; what follows waits for its lease. */
    void ended(int shard, Runnable then) {
        running.remove(shard);
        ends.computeIfAbsent(shard, number -> new ArrayList<>()).add(then);
        run(machine.ended(shard));
    }

    /** The region ends: nothing runs any more. What follows waits for all its leases. */
    void close(Runnable then) {
        running.clear();
        if (closed) {
            then.run();
        } else {
            closes.add(then);
            run(machine.close());
        }
    }

    private void run(List<LeaseCommand> commands) {
        commands.forEach(command -> command.accept(this));
    }

    private void begins(int shard) {
        world.check(busy.add(shard), "two requests for the lease of shard " + shard + " on " + node);
    }

    @Override
    public void acquire(LeaseCommand.Acquire command) {
        int shard = command.shard();
        begins(shard);
        world.leases(type).acquire(node, shard, new Request(shard));
    }

    @Override
    public void release(LeaseCommand.Release command) {
        int shard = command.shard();
        begins(shard);
        releasing.add(shard);
        world.check(!running.contains(shard), node + " gives back the lease of shard " + shard + ", which runs");
        held.remove(shard);
        world.leases(type).release(node, shard, succeeded -> {
            busy.remove(shard);
            releasing.remove(shard);
            run(machine.released(shard, succeeded));
        });
    }

    @Override
    public void retryLater(LeaseCommand.RetryLater command) {
        world.scheduler().after(command.pause(), () -> node.onControl(0, () -> run(machine.retryDue(command.shard()))));
    }

    @Override
    public void held(LeaseCommand.Held command) {
        changed.accept(command.shard(), true);
        run(machine.heldTold(command.shard()));
    }

    @Override
    public void lost(LeaseCommand.Lost command) {
        changed.accept(command.shard(), false);
    }

    @Override
    public void ended(LeaseCommand.Ended command) {
        boolean isFree = !releasing.contains(command.shard());
        world.check(isFree, node + " says that shard " + command.shard() + " has ended before its lease is given back");
        List<Runnable> waiting = ends.remove(command.shard());
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    @Override
    public void closed() {
        world.check(busy.isEmpty() && held.isEmpty(), "a region on " + node + " ends with leases of " + held);
        closed = true;
        closes.forEach(Runnable::run);
    }

    private final class Request implements SimLeaseProvider.Request {
        private final int shard;
        private @Nullable Grant lost;

        Request(int shard) {
            this.shard = shard;
        }

        @Override
        public void answered(@Nullable Grant grant) {
            busy.remove(shard);
            if (grant != null && !grant.equals(lost)) {
                held.put(shard, grant);
            }
            run(machine.acquired(shard, grant != null));
        }

        @Override
        public void failed() {
            busy.remove(shard);
            run(machine.acquireFailed(shard, "the provider failed"));
        }

        @Override
        public void lost(Grant grant) {
            lost = grant;
            held.remove(shard, grant);
            run(machine.lost(shard, "the provider took it away"));
        }
    }
}
