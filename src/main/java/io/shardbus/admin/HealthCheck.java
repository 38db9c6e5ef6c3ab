package io.shardbus.admin;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Start-up check of a node: it passes when a coordinator has accepted every region that is asked for. It concerns the
 * start only. Once it has passed, it always passes; it also passes when the grace time after the node became a member
 * is over. So a cluster that has no coordinator for a while does not take all its nodes out of service at the same
 * moment. To be used by one thread at a time.
 */
public final class HealthCheck {
    /** Node under a health check. */
    public interface Node {
        /** Whether this node has joined its cluster. */
        boolean isMember();

        /** Whether the region of a type is registered; may take long, may fail. */
        Future<Boolean> isRegistered(String type);
    }

    private final Supplier<Set<String>> types;
    private final Duration timeout;
    private final Duration grace;
    private final Node node;
    private final LongSupplier nanos;
    private @Nullable Long memberSince;
    private boolean settled;

    private HealthCheck(Builder builder) {
        types = builder.types;
        timeout = builder.timeout;
        grace = builder.grace;
        node = builder.node;
        nanos = builder.nanos;
    }

    /** A check of a node with the defaults: no types, 3 s for an answer, and a minute of grace. */
    public static Builder of(Node node, LongSupplier nanos) {
        return new Builder(node, nanos);
    }

    /** The types whose regions are not registered, or did not answer in time; empty for a healthy node. Never fails. */
    public Future<List<String>> check() {
        if (settled || graceIsOver()) {
            return Future.succeededFuture(List.of());
        }
        startGrace();
        return askAll().onSuccess(missing -> settled |= missing.isEmpty());
    }

    private boolean graceIsOver() {
        return memberSince != null && nanos.getAsLong() - memberSince >= grace.toNanos();
    }

    private void startGrace() {
        if (memberSince == null && node.isMember()) {
            memberSince = nanos.getAsLong();
        }
    }

    private Future<List<String>> askAll() {
        var asked = List.copyOf(new TreeSet<>(types.get()));
        var answers = asked.stream().map(this::ask).toList();
        return Future.join(answers).map(all -> missing(asked, all.list()));
    }

    private Future<Boolean> ask(String type) {
        return node.isRegistered(type)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(false);
    }

    private static List<String> missing(List<String> asked, List<Boolean> answers) {
        var missing = new ArrayList<String>();
        for (int i = 0; i < asked.size(); i++) {
            if (!Boolean.TRUE.equals(answers.get(i))) {
                missing.add(asked.get(i));
            }
        }
        return missing;
    }

    /** The settings of a health check. */
    public static final class Builder {
        private final Node node;
        private final LongSupplier nanos;
        private Supplier<Set<String>> types = Set::of;
        private Duration timeout = Duration.ofSeconds(3);
        private Duration grace = Duration.ofMinutes(1);

        private Builder(Node node, LongSupplier nanos) {
            this.node = Objects.requireNonNull(node, "node");
            this.nanos = Objects.requireNonNull(nanos, "nanos");
        }

        /** The types whose regions are asked for. */
        public Builder types(Set<String> names) {
            var copy = Set.copyOf(names);
            return types(() -> copy);
        }

        /** The types whose regions are asked for, read anew at each check. */
        public Builder types(Supplier<Set<String>> names) {
            types = Objects.requireNonNull(names, "types");
            return this;
        }

        /** Sets the time that a region may take to answer; at least 1 ms. */
        public Builder timeout(Duration duration) {
            timeout = duration;
            return this;
        }

        /** Sets the time after becoming a member in which the check may fail. */
        public Builder grace(Duration duration) {
            grace = duration;
            return this;
        }

        public HealthCheck build() {
            return new HealthCheck(this);
        }
    }
}
