package io.shardbus.store;

import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.StandingOrders.Given;
import io.shardbus.core.control.WrittenOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.spi.RecordStore;
import io.shardbus.wire.TextFields;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The standing orders of a cluster, one record in a store that all nodes share. Threads and time limits are those of a
 * {@link RecordStore}.
 */
public final class StandingOrdersStore {
    private static final String NAME = "standing-orders";
    /** Beside the orders, whose numbers begin with 1. */
    private static final int WRITER = 0;

    private static final int TERM = 1;
    private static final int INCARNATION = 2;
    /** Counts what was written, so that no two records are equal; earlier builds skip it, and write none. */
    private static final int EDITION = 3;

    private static final int KIND = 1;
    private static final int TYPE = 2;
    private static final int NODE = 3;
    private static final int SHARD = 4;
    private static final int SINCE = 5;

    private final RecordStore records;

    public StandingOrdersStore(RecordStore records) {
        this.records = records;
    }

    /** Orders in the memory of this process. */
    public static StandingOrdersStore inMemory() {
        return new StandingOrdersStore(new InMemoryRecordStore());
    }

    /** The standing orders, and the term in which they were written; fails where the agreed record cannot be read. */
    public Future<WrittenOrders> read() {
        return records.read(NAME).map(text -> decode(text).written());
    }

    /**
     * Replaces the standing orders by the result of {@code change}, and returns it; it is called again when another
     * writer was quicker, {@value DesiredHomesStore#TRIES} times at most, on any thread. Each time the record is
     * compared with the term of the writer: fails with a {@link SupersededException} where a later reign has written
     * it. If {@code change} gives more than {@link StandingOrders#MOST} orders, nothing is written, and the present
     * orders are returned. After any failure but a {@code SupersededException} the write may have been made, or may be
     * later, unless another one is made meanwhile.
     *
     * @param writer the reign that writes, which the record says from then on, also where nothing else changes
     * @param renews whether the record is written also where nothing changes
     */
    public Future<WrittenOrders> update(TermId writer, boolean renews, UnaryOperator<StandingOrders> change) {
        return update(writer, renews, change, DesiredHomesStore.TRIES);
    }

    private Future<WrittenOrders> update(
            TermId writer, boolean renews, UnaryOperator<StandingOrders> change, int tries) {
        if (tries == 0) {
            return Future.failedFuture(new IllegalStateException(
                    NAME + ": " + DesiredHomesStore.TRIES + " times another writer was quicker"));
        }
        return records.read(NAME).compose(found -> {
            Content content = decode(found);
            WrittenOrders present = content.written();
            if (!present.yieldsTo(writer)) {
                return Future.failedFuture(new SupersededException(writer, present.writer()));
            }
            Optional<WrittenOrders> changed = present.after(writer, change);
            if (changed.isEmpty() && !renews) {
                return Future.succeededFuture(present);
            }
            WrittenOrders next = changed.orElse(present);
            return records.replace(NAME, found, encode(next, content))
                    .compose(written ->
                            written ? Future.succeededFuture(next) : update(writer, renews, change, tries - 1));
        });
    }

    /** The coordinator that writes was succeeded by one that has written; this attempt has changed nothing. */
    public static final class SupersededException extends RuntimeException {
        private static final long serialVersionUID = 1;

        SupersededException(TermId writer, TermId later) {
            super(text(writer, later), null, false, false);
        }

        private static String text(TermId writer, TermId later) {
            return "term " + writer.number() + " was succeeded by term " + later.number()
                    + ", which has written the standing orders";
        }
    }

    /**
     * @param unknown what a later build has written, kept as it is
     * @param edition 0 in the record of an earlier build
     */
    private record Content(WrittenOrders written, List<String> unknown, long edition) {}

    /**
     * A list of numbered texts, each an order, and before them the term of the writer, which earlier builds skip. Where
     * no order stands any more an empty list is left, as for desired homes.
     */
    private static String encode(WrittenOrders written, Content before) {
        TextFields writer = new TextFields()
                .put(TERM, Long.toString(written.writer().number()))
                .put(INCARNATION, Long.toString(written.writer().incarnation()))
                .put(EDITION, Long.toString(before.edition() + 1));
        TextFields fields = new TextFields().put(WRITER, writer.text());
        int number = 0;
        for (Given each : written.orders().given()) {
            fields.put(++number, encode(each));
        }
        for (String each : before.unknown()) {
            fields.put(++number, each);
        }
        return fields.text();
    }

    private static String encode(Given given) {
        OperatorOrder order = given.order();
        TextFields fields = new TextFields()
                .put(KIND, order.kind().name())
                .put(TYPE, order.type())
                .put(SHARD, Integer.toString(order.shard()))
                .put(SINCE, Long.toString(given.since()));
        NodeId node = order.node();
        return (node == null ? fields : fields.put(NODE, node.value())).text();
    }

    private static Content decode(@Nullable String text) {
        List<Given> known = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        if (text == null) {
            return new Content(WrittenOrders.NONE, unknown, 0);
        }
        try {
            TextFields fields = TextFields.parse(text).orElseThrow();
            Optional<String> next = fields.get(1);
            for (int number = 1; next.isPresent(); next = fields.get(++number)) {
                Given given = given(TextFields.parse(next.get()).orElseThrow());
                if (given == null) {
                    unknown.add(next.get());
                } else {
                    known.add(given);
                }
            }
            TextFields writer = TextFields.parse(fields.get(WRITER).orElse("")).orElseThrow();
            WrittenOrders written = new WrittenOrders(StandingOrders.of(known), writer(writer));
            return new Content(
                    written, unknown, Long.parseLong(writer.get(EDITION).orElse("0")));
        } catch (RuntimeException e) {
            throw new IllegalStateException("a record of standing orders that this build cannot read", e);
        }
    }

    /** None in the record of an earlier build. */
    private static TermId writer(TextFields fields) {
        if (fields.get(TERM).isEmpty()) {
            return TermId.NONE;
        }
        return new TermId(
                Long.parseLong(fields.get(TERM).orElseThrow()),
                Long.parseLong(fields.get(INCARNATION).orElseThrow()));
    }

    /** Null for an order of a later build. */
    private static @Nullable Given given(TextFields fields) {
        String kind = fields.get(KIND).orElseThrow();
        for (OperatorOrder.Kind known : OperatorOrder.Kind.values()) {
            if (known.name().equals(kind)) {
                NodeId node = fields.get(NODE).map(NodeId::new).orElse(null);
                int shard = Integer.parseInt(fields.get(SHARD).orElseThrow());
                OperatorOrder order = new OperatorOrder(known, fields.get(TYPE).orElseThrow(), node, shard);
                return new Given(order, Long.parseLong(fields.get(SINCE).orElseThrow()));
            }
        }
        return null;
    }
}
