package io.shardbus.store;

import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.StandingOrders.Given;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.model.NodeId;
import io.shardbus.spi.RecordStore;
import io.shardbus.wire.TextFields;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The standing orders of a cluster, one record in a store that all nodes share. What is said of the threads and times
 * of a {@link RecordStore} holds here as well.
 */
public final class StandingOrdersStore {
    private static final String NAME = "standing-orders";
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

    /** What stands; fails where the agreed record cannot be read. */
    public Future<StandingOrders> read() {
        return records.read(NAME).map(text -> decode(text).orders());
    }

    /**
     * Replaces what stands by what {@code change} makes of it, and says what that is; it is called again when another
     * writer was quicker, {@value DesiredHomesStore#TRIES} times at most. More than {@link StandingOrders#MOST} are
     * refused: then nothing is written, and what stands comes back. A failure says nothing: the write may have been
     * made.
     */
    public Future<StandingOrders> update(UnaryOperator<StandingOrders> change) {
        return update(change, DesiredHomesStore.TRIES);
    }

    private Future<StandingOrders> update(UnaryOperator<StandingOrders> change, int tries) {
        if (tries == 0) {
            return Future.failedFuture(new IllegalStateException(
                    NAME + ": " + DesiredHomesStore.TRIES + " times another writer was quicker"));
        }
        return records.read(NAME).compose(found -> {
            Content content = decode(found);
            StandingOrders next = change.apply(content.orders());
            if (next == content.orders() || next.isTooLarge()) {
                return Future.succeededFuture(content.orders());
            }
            return records.replace(NAME, found, encode(next, content.unknown()))
                    .compose(written -> written ? Future.succeededFuture(next) : update(change, tries - 1));
        });
    }

    /** @param unknown what a later build has written, kept as it is */
    private record Content(StandingOrders orders, List<String> unknown) {}

    /**
     * A list of numbered texts, each an order. Where no order stands any more an empty record is left, as for desired
     * homes.
     */
    private static String encode(StandingOrders orders, List<String> unknown) {
        TextFields fields = new TextFields();
        int number = 0;
        for (Given each : orders.given()) {
            fields.put(++number, encode(each));
        }
        for (String each : unknown) {
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
            return new Content(StandingOrders.NONE, unknown);
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
            return new Content(StandingOrders.of(known), unknown);
        } catch (RuntimeException e) {
            throw new IllegalStateException("a record of standing orders that this build cannot read", e);
        }
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
