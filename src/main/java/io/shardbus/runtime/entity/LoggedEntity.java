package io.shardbus.runtime.entity;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Names the entity whose code is called to the logger, in the MDC of the thread that calls it. Each type on a node has
 * one; none if the option is off. Any thread.
 */
final class LoggedEntity {
    static final String TYPE = "shardbus.type";
    static final String ENTITY = "shardbus.entity";

    private final String type;

    LoggedEntity(String type) {
        this.type = type;
    }

    /** Calls code of the entity. What the thread had in the MDC before is there again afterwards. */
    <T> @Nullable T call(String id, Callable<@Nullable T> code) throws Exception {
        String typeBefore = MDC.get(TYPE);
        String entityBefore = MDC.get(ENTITY);
        MDC.put(TYPE, type);
        MDC.put(ENTITY, id);
        try {
            return code.call();
        } finally {
            put(TYPE, typeBefore);
            put(ENTITY, entityBefore);
        }
    }

    private static void put(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
