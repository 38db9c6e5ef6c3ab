package purchases;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.PassivationOptions;
import io.shardbus.spi.HandsOver;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;
import purchases.CustomerMessage.Purchase;

/**
 * What a customer has bought. A purchase that the topic delivers again counts once, by its offset. What a customer
 * knows travels with it while its shard moves; a crash loses it, since it is kept in no store.
 */
public final class Customer implements Entity<CustomerMessage>, HandsOver {
    public static final EntityType<CustomerMessage> TYPE = EntityType.of("customer", CustomerMessage.class);

    private static final int STATE_VERSION = 1;

    private long purchases;
    private long cents;
    private long lastOffset = -1;

    /** The partition of a customer is its shard: both are computed as Kafka's producers compute it from the key. */
    private static final class ByPartition implements MessageExtractor<CustomerMessage> {
        @Override
        public String entityId(CustomerMessage message) {
            return message.customer();
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Utils.toPositive(Utils.murmur2(entityId.getBytes(StandardCharsets.UTF_8))) % numberOfShards;
        }

        @Override
        public String version() {
            return "kafka-murmur2-1";
        }
    }

    /** Customers live where the program says, which is with the consumer of their partition. */
    static EntityDefinition<CustomerMessage> definition(int partitions) {
        return EntityDefinition.of(TYPE, id -> new Customer())
                .withNumberOfShards(partitions)
                .withMessageExtractor(new ByPartition())
                .withAllocation("external")
                .withPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
    }

    private Customer() {}

    @Override
    public Future<?> receive(CustomerMessage message, EntityContext<CustomerMessage> context) {
        if (message instanceof Purchase purchase && purchase.offset() > lastOffset) {
            purchases++;
            cents += purchase.cents();
            lastOffset = purchase.offset();
        }
        return context.reply(
                message,
                new CustomerState(
                        context.id(),
                        context.shard(),
                        purchases,
                        cents,
                        lastOffset,
                        context.node().value()));
    }

    @Override
    public Future<State> handOver() {
        var known = Buffer.buffer().appendLong(purchases).appendLong(cents).appendLong(lastOffset);
        return Future.succeededFuture(new State(STATE_VERSION, known));
    }

    @Override
    public Future<?> takeOver(State state) {
        if (state.version() != STATE_VERSION) {
            throw new IllegalArgumentException("state of version " + state.version() + ", known is " + STATE_VERSION);
        }
        purchases = state.bytes().getLong(0);
        cents = state.bytes().getLong(Long.BYTES);
        lastOffset = state.bytes().getLong(2 * Long.BYTES);
        return done();
    }
}
