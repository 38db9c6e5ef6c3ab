package io.shardbus.projection;

import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.List;

/** A projection that was started on this node; its workers may run on other nodes. Any thread. */
public final class StartedProjection {
    private final Projections projections;
    private final Projection<?> projection;

    StartedProjection(Projections projections, Projection<?> projection) {
        this.projections = projections;
        this.projection = projection;
    }

    public String name() {
        return projection.name();
    }

    /** The name of the entity type. */
    public String type() {
        return projection.type();
    }

    /** Whether this projection was started beside the wanted one, and reads another type or another store. */
    boolean isOther(Projections by, Projection<?> wanted) {
        return projections.isBeside(by) && !(projection.type().equals(wanted.type()) && projections.isOfStore(by));
    }

    /** Number of workers that share the logs, on all nodes together. */
    public int workers() {
        return projection.settings().workers();
    }

    /** What happens at an event on which the handler keeps failing. */
    public Projection.OnFailure onFailure() {
        return projection.settings().onFailure();
    }

    /**
     * Number of positions between the stored offsets and the ends of all logs of its type, those of workers on other
     * nodes included.
     */
    public Future<Long> lag() {
        return projections.lag(projection);
    }

    /**
     * The first events that were parked, in the order of logs and positions.
     *
     * @param limit how many at most, 1 to 1,000
     * @throws IllegalArgumentException for another limit
     */
    public Future<List<OffsetStore.Parked>> parked(int limit) {
        return projections.parked(projection, limit);
    }

    /** See {@link Projections#pause}. */
    public Future<Void> pause() {
        return projections.pause(projection);
    }

    /** See {@link Projections#resume}. */
    public Future<Void> resume() {
        return projections.resume(projection);
    }

    /** Whether the projection is paused, by any node. */
    public Future<Boolean> isPaused() {
        return projections.isPaused(projection);
    }

    /** See {@link Projections#reset}. */
    public Future<Void> reset() {
        return projections.reset(projection);
    }

    /** Number of parked events. */
    public Future<Long> parkedCount() {
        return projections.parkedCount(projection);
    }
}
