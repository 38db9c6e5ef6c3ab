package io.shardbus.runtime.entity;

import io.vertx.core.Future;

/** An entity whose stored state can be ended from outside. */
public interface Erasable {
    /**
     * Ends what is stored of the entity, behind the commands that it has decided on; on the thread of its messages. The
     * instance passivates. Fails with a {@link CodedFailure} where the store does not confirm it.
     */
    Future<?> erase();
}
