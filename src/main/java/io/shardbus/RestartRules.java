package io.shardbus;

import io.shardbus.model.RestartPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restart policies of a type, by class of failure. Immutable. */
record RestartRules(RestartPolicy otherwise, Map<Class<? extends Throwable>, RestartPolicy> byClass) {
    RestartRules {
        byClass = Map.copyOf(byClass);
    }

    RestartRules(RestartPolicy otherwise) {
        this(otherwise, Map.of());
    }

    RestartRules with(RestartPolicy policy) {
        return new RestartRules(policy, byClass);
    }

    RestartRules with(Class<? extends Throwable> failures, RestartPolicy policy) {
        var more = new LinkedHashMap<>(byClass);
        more.put(failures, policy);
        return new RestartRules(otherwise, more);
    }

    /** The policy of the failure's class, or else of the nearest class above it that has one. */
    RestartPolicy of(Throwable failure) {
        for (Class<?> type = failure.getClass(); type != null && !byClass.isEmpty(); type = type.getSuperclass()) {
            @Nullable RestartPolicy found = byClass.get(type);
            if (found != null) {
                return found;
            }
        }
        return otherwise;
    }

    @Override
    public String toString() {
        return byClass.isEmpty() ? otherwise.toString() : otherwise + ", by class " + byClass;
    }
}
