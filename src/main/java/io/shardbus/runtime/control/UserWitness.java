package io.shardbus.runtime.control;

import io.shardbus.model.NodeId;
import io.shardbus.spi.DeathWitness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A user's witness, called on a thread of its own, so that a blocking witness delays nothing else. A failure counts as
 * UNKNOWN.
 */
final class UserWitness implements DeathWitness {
    private static final Logger LOG = LoggerFactory.getLogger(UserWitness.class);

    private final DeathWitness witness;
    private final Vertx vertx;
    /** Made by the first call: it ends with the verticle that calls. */
    private @Nullable WorkerExecutor thread;

    UserWitness(DeathWitness witness, Vertx vertx) {
        this.witness = witness;
        this.vertx = vertx;
    }

    private WorkerExecutor thread() {
        WorkerExecutor present = thread;
        if (present == null) {
            present = vertx.createSharedWorkerExecutor("shardbus-death-witness", 1);
            thread = present;
        }
        return present;
    }

    @Override
    public void met(Suspect member) {
        tell(member.id(), () -> witness.met(member));
    }

    @Override
    public Future<Verdict> ask(Suspect vanished) {
        return thread().executeBlocking(() -> Objects.requireNonNull(witness.ask(vanished), "its answer"))
                .compose(answer -> answer);
    }

    @Override
    public void forget(NodeId node) {
        tell(node, () -> witness.forget(node));
    }

    private void tell(NodeId node, Runnable what) {
        thread().executeBlocking(() -> {
                    what.run();
                    return node;
                })
                .onFailure(failure -> LOG.warn("the death witness failed when it was told of {}", node, failure));
    }
}
