package io.shardbus.store;

import io.shardbus.spi.RecordStore;
import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.wire.TextFields;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An arbiter on any store with compare-and-set. The record of a lease has its owner, the stamp of the last request, and
 * the time at which the lease expires, by the wall clock of the node that took it. So a lease whose owner died before
 * releasing it becomes free again.
 */
public final class StoreArbiter implements SplitBrainArbiter {
    private static final int TRIES = 3;

    private final RecordStore store;
    private final Duration longest;
    private final LongSupplier wallMillis;

    /**
     * @param longest duration after which a lease that was not released expires; much longer than {@code
     *     releaseAfterMs} and than the difference of the nodes' wall clocks
     * @param wallMillis the wall clock, as System::currentTimeMillis
     */
    public StoreArbiter(RecordStore store, Duration longest, LongSupplier wallMillis) {
        this.store = store;
        this.longest = longest;
        this.wallMillis = wallMillis;
    }

    @Override
    public Future<Boolean> acquire(String name, String owner, String stamp) {
        return store.read(name).compose(found -> take(name, found, new Taking(owner, stamp, TRIES)));
    }

    /** @param tries how often another process may take the lease or give it back first */
    private record Taking(String owner, String stamp, int tries) {}

    private Future<Boolean> take(String name, @Nullable String found, Taking taking) {
        Lease present = Lease.parse(found);
        long now = wallMillis.getAsLong();
        boolean isOthers = present != null && !present.owner().equals(taking.owner()) && now < present.end();
        if (isOthers || taking.tries() == 0) {
            return Future.succeededFuture(false);
        }
        String next = new Lease(now + longest.toMillis(), taking.stamp(), taking.owner()).text();
        return store.replace(name, found, next)
                .compose(written -> written ? Future.succeededFuture(true) : overtaken(name, taking));
    }

    /** Handles a lost race: a node of the same side may have won it, or one that gave the lease back. */
    private Future<Boolean> overtaken(String name, Taking taking) {
        return store.read(name).compose(found -> {
            Lease present = Lease.parse(found);
            return present != null && present.owner().equals(taking.owner())
                    ? Future.succeededFuture(true)
                    : take(name, found, new Taking(taking.owner(), taking.stamp(), taking.tries() - 1));
        });
    }

    private Future<@Nullable String> stampOf(String name, String owner) {
        return store.read(name).map(found -> {
            Lease present = Lease.parse(found);
            return present != null && present.owner().equals(owner) ? present.stamp() : null;
        });
    }

    @Override
    public Future<@Nullable String> release(String name, String owner, String stamp) {
        return store.read(name).compose(found -> {
            Lease present = Lease.parse(found);
            if (present == null || !present.owner().equals(owner)) {
                return Future.succeededFuture();
            }
            return present.stamp().equals(stamp)
                    ? store.replace(name, found, null)
                            .compose(done -> done ? Future.succeededFuture() : stampOf(name, owner))
                    : Future.succeededFuture(present.stamp());
        });
    }

    /**
     * As numbered fields; a lease of a build without them, which is only read, is its end, how many letters the stamp
     * has, the stamp and the owner.
     */
    private record Lease(long end, String stamp, String owner) {
        private static final int END = 1;
        private static final int STAMP = 2;
        private static final int OWNER = 3;
        private static final Pattern MILLIS = Pattern.compile("\\d{1,18}");
        private static final Pattern WITHOUT_FIELDS = Pattern.compile("(\\d{1,18}) (\\d{1,9}) (.+)", Pattern.DOTALL);

        /** Null for no text, and for text that is no lease: it cannot be an owner's, so it is overwritten. */
        static @Nullable Lease parse(@Nullable String text) {
            if (text == null) {
                return null;
            }
            TextFields fields = TextFields.parse(text).orElseGet(TextFields::new);
            String end = fields.get(END).orElse("");
            return MILLIS.matcher(end).matches()
                    ? new Lease(
                            Long.parseLong(end),
                            fields.get(STAMP).orElse(""),
                            fields.get(OWNER).orElse(""))
                    : withoutFields(text);
        }

        private static @Nullable Lease withoutFields(String text) {
            Matcher parts = WITHOUT_FIELDS.matcher(text);
            if (!parts.matches()
                    || Integer.parseInt(parts.group(2)) > parts.group(3).length()) {
                return null;
            }
            int split = Integer.parseInt(parts.group(2));
            String names = parts.group(3);
            return new Lease(Long.parseLong(parts.group(1)), names.substring(0, split), names.substring(split));
        }

        String text() {
            return new TextFields()
                    .put(END, Long.toString(end))
                    .put(STAMP, stamp)
                    .put(OWNER, owner)
                    .text();
        }
    }
}
