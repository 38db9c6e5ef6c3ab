package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.spi.DeathWitness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A user's witness, called on a thread of its own: one that throws, or blocks, is one that does not know, and holds up nothing. */
final class UserWitness implements DeathWitness {
    private static final Logger LOG = LoggerFactory.getLogger(UserWitness.class);

    private final DeathWitness witness;
    private final WorkerExecutor thread;

    UserWitness(DeathWitness witness, Vertx vertx) {
        this.witness = witness;
        this.thread = vertx.createSharedWorkerExecutor("shardbus-death-witness", 1);
    }

    @Override
    public void met(Suspect member) {
        tell(member.id(), () -> witness.met(member));
    }

    @Override
    public Future<Verdict> ask(Suspect vanished) {
        return thread.executeBlocking(() -> witness.ask(vanished)).compose(answer -> answer);
    }

    @Override
    public void forget(NodeId node) {
        tell(node, () -> witness.forget(node));
    }

    private void tell(NodeId node, Runnable what) {
        thread.executeBlocking(() -> {
                    what.run();
                    return node;
                })
                .onFailure(failure -> LOG.warn("the death witness failed when it was told of {}", node, failure));
    }
}
