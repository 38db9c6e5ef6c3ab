package io.shardbus.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** Meters that are registered together and go together. */
final class Meters {
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final MeterRegistry registry;
    private final Tags tags;
    private final List<Meter> registered = new ArrayList<>();
    /** A registry holds what a function counter reads by a weak reference only. */
    private final List<DoubleSupplier> counts = new ArrayList<>();

    /** @param tags of all */
    Meters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /** A level, read when the registry is. */
    void gauge(String name, String text, DoubleSupplier value, String... tag) {
        registered.add(Gauge.builder("shardbus." + name, value::getAsDouble)
                .description(text)
                .strongReference(true)
                .tags(tags.and(tag))
                .register(registry));
    }

    /** A level in seconds, read when the registry is. */
    void seconds(String name, String text, DoubleSupplier value) {
        registered.add(Gauge.builder("shardbus." + name, value::getAsDouble)
                .description(text)
                .baseUnit("seconds")
                .strongReference(true)
                .tags(tags)
                .register(registry));
    }

    /** A count that is kept elsewhere, read when the registry is. */
    void count(String name, String text, DoubleSupplier value, String... tag) {
        counts.add(value);
        registered.add(FunctionCounter.builder("shardbus." + name, value, DoubleSupplier::getAsDouble)
                .description(text)
                .tags(tags.and(tag))
                .register(registry));
    }

    Counter counter(String name, String text, String... tag) {
        Counter counter = Counter.builder("shardbus." + name)
                .description(text)
                .tags(tags.and(tag))
                .register(registry);
        registered.add(counter);
        return counter;
    }

    Timer timer(String name, String text, String... tag) {
        Timer timer = Timer.builder("shardbus." + name)
                .description(text)
                .serviceLevelObjectives(BOUNDS)
                .tags(tags.and(tag))
                .register(registry);
        registered.add(timer);
        return timer;
    }

    /** Distribution of single values, as counts of those up to each of these bounds. */
    DistributionSummary distribution(String name, String text, double... bounds) {
        DistributionSummary summary = DistributionSummary.builder("shardbus." + name)
                .description(text)
                .serviceLevelObjectives(bounds)
                .tags(tags)
                .register(registry);
        registered.add(summary);
        return summary;
    }

    void close() {
        registered.forEach(registry::remove);
        counts.clear();
    }

    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
