package io.shardbus.daemon;

import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** At most one deployment of a verticle; begun and ended one after the other, on the context of its entity. */
final class Deployed<V extends Deployable> {
    private final Vertx vertx;
    private @Nullable V verticle;
    private @Nullable String id;

    Deployed(Vertx vertx) {
        this.vertx = vertx;
    }

    /** The verticle that runs; null if none does. */
    @Nullable
    V verticle() {
        return isRunning() ? verticle : null;
    }

    boolean isRunning() {
        String deployment = id;
        return deployment != null && vertx.deploymentIDs().contains(deployment);
    }

    /** Deploys another one, unless one runs; one that has undeployed itself does not. */
    Future<Void> run(Supplier<? extends V> maker) {
        if (isRunning()) {
            return Future.succeededFuture();
        }
        V made = maker.get();
        return vertx.deployVerticle(made)
                .onSuccess(deployment -> {
                    verticle = made;
                    id = deployment;
                })
                .mapEmpty();
    }

    /** Completes when it has stopped; at once if none runs. */
    Future<Void> end() {
        String deployment = id;
        boolean running = isRunning();
        id = null;
        verticle = null;
        return deployment != null && running ? vertx.undeploy(deployment) : Future.succeededFuture();
    }
}
