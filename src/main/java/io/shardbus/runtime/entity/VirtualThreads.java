package io.shardbus.runtime.entity;

import io.shardbus.ExecutionModel;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Virtual threads where the JVM has them: they are final since Java 21, and this code runs from Java 17 on. */
final class VirtualThreads {
    private VirtualThreads() {}

    static @Nullable Executor executorFor(ExecutionModel model) {
        if (model != ExecutionModel.VIRTUAL_THREAD) {
            return null;
        }
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "execution VIRTUAL_THREAD needs Java 21 or later, this is Java "
                            + Runtime.version().feature() + ": use WORKER",
                    e);
        }
    }
}
