package io.shardbus.runtime.events;

import io.shardbus.logging.LogPace;
import io.shardbus.runtime.clock.Nanos;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one kind of news, such as meters of a registry. An exception of one is counted and logged at a pace;
 * neither the other listeners nor the caller notice it. Any thread; each listener is called on the thread that tells
 * the news, in the order in which they were added.
 *
 * @param <L> type of the listeners
 */
public final class Listeners<L> {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final String news;
    private final Runnable failed;
    private final LogPace pace = new LogPace(() -> TimeUnit.NANOSECONDS.toMillis(Nanos.now()));
    private final List<L> all = new CopyOnWriteArrayList<>();

    /**
     * @param news what the listeners hear of, for the log
     * @param failed counts each exception of a listener
     */
    public Listeners(String news, Runnable failed) {
        this.news = news;
        this.failed = failed;
    }

    /** The listener hears all news from now on. */
    public void add(L listener) {
        all.add(listener);
    }

    /** The listener hears no further news, but what is being told at this moment. */
    public void remove(L listener) {
        all.remove(listener);
    }

    /** @param call calls one listener */
    public void tell(Consumer<L> call) {
        for (L listener : all) {
            try {
                call.accept(listener);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                failed.run();
                if (pace.admits()) {
                    LOG.warn("a listener of {} failed, and the others go on{}", news, pace.note(), e);
                }
            }
        }
    }
}
