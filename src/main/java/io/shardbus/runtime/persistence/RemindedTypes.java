package io.shardbus.runtime.persistence;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The types whose reminders this node helps to deliver. A reminder of another type is logged once: perhaps no node
 * delivers it. Kept by the Vertx, and ends with it. Any thread.
 */
public final class RemindedTypes implements Shareable {
    private static final Logger LOG = LoggerFactory.getLogger(RemindedTypes.class);
    private static final String MAP = "__shardbus.reminded";

    private final Set<String> started = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    private RemindedTypes() {}

    public static RemindedTypes on(Vertx vertx) {
        LocalMap<String, RemindedTypes> kept = vertx.sharedData().getLocalMap(MAP);
        return kept.computeIfAbsent(MAP, first -> new RemindedTypes());
    }

    /** This node's part of the delivery was started. */
    public void started(String type) {
        started.add(type);
    }

    /** An entity of the type has set a reminder. */
    void reminded(String type) {
        if (!started.contains(type) && told.add(type)) {
            LOG.warn(
                    "type={}: an entity sets a reminder, and this node has not started the delivery of reminders:"
                            + " call Reminders.create(vertx, sharding, store).start(definition) on each node, after the"
                            + " start of the type. A type of the launcher needs a verticle or a main of its own",
                    type);
        }
    }
}
