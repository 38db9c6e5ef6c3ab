package io.shardbus.daemon;

import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At most one deployment of a verticle at a time, begun and ended on the context of its entity. After {@link #end} no
 * further one begins, and one that is under way is undeployed as soon as it is complete.
 */
final class Deployed<V extends Deployable> {
    private static final Logger LOG = LoggerFactory.getLogger(Deployed.class);

    private final Vertx vertx;
    private @Nullable V verticle;
    private @Nullable Watched watched;
    private @Nullable String id;
    private @Nullable Future<Void> deploying;
    private @Nullable Future<Void> end;

    /** Wraps the verticle, because Vert.x does not tell when an undeployment that has begun already ends. */
    private static final class Watched implements Deployable {
        private final Deployable verticle;
        private final Promise<Void> stopped = Promise.promise();

        Watched(Deployable verticle) {
            this.verticle = verticle;
        }

        @Override
        public Future<?> deploy(Context context) throws Exception {
            return verticle.deploy(context);
        }

        @Override
        public Future<?> undeploy(Context context) {
            return UserCode.call(() -> stop(context)).onComplete(stopped);
        }

        private Future<Void> stop(Context context) {
            try {
                return verticle.undeploy(context).mapEmpty();
            } catch (Exception e) {
                return Future.failedFuture(e);
            }
        }
    }

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

    /** Whether a verticle is being deployed. */
    boolean isStarting() {
        return deploying != null;
    }

    /** Whether a verticle ran, and has undeployed itself. */
    boolean hasEndedByItself() {
        return id != null && end == null && deploying == null && !isRunning();
    }

    /**
     * Deploys a new verticle, unless one runs or is being deployed; a verticle that has undeployed itself does not run.
     * Fails after {@link #end}.
     */
    Future<Void> run(Supplier<? extends V> maker) {
        if (end != null) {
            return Future.failedFuture(new IllegalStateException("the entity of the verticle has ended"));
        }
        Future<Void> present = deploying;
        if (present != null) {
            return present;
        }
        return isRunning() ? Future.succeededFuture() : deploy(maker.get());
    }

    private Future<Void> deploy(V made) {
        Watched watching = new Watched(made);
        Future<Void> begun = vertx.deployVerticle(watching)
                .onSuccess(deployment -> {
                    verticle = made;
                    watched = watching;
                    id = deployment;
                })
                .<Void>mapEmpty()
                .onComplete(done -> deploying = null);
        deploying = begun.isComplete() ? null : begun;
        return begun;
    }

    /** Undeploys the verticle for good; completes when it has stopped, at once if none runs. */
    Future<Void> end() {
        Future<Void> ending = end;
        if (ending == null) {
            Future<Void> begun = deploying;
            ending = begun == null ? undeploy() : begun.transform(deployed -> undeploy());
            end = ending;
            ending.onFailure(failure -> LOG.warn("the verticle of a worker or singleton did not stop", failure));
        }
        return ending;
    }

    private Future<Void> undeploy() {
        String deployment = id;
        Watched watching = watched;
        boolean running = isRunning();
        id = null;
        verticle = null;
        watched = null;
        if (deployment == null || watching == null || !running) {
            return Future.succeededFuture();
        }
        return vertx.undeploy(deployment)
                // if a verticle that this one has deployed fails to stop, Vert.x has ended only that one
                .recover(failure -> vertx.undeploy(deployment))
                // its undeployment has begun already: it has undeployed itself
                .recover(failure -> watching.stopped.future());
    }
}
