package purchases;

import io.shardbus.Ask;

/** What a customer understands; each message says for which one it is, and is answered with the customer. */
public sealed interface CustomerMessage extends Ask<CustomerState> {
    String customer();

    /** Changes nothing. */
    record Read(String customer) implements CustomerMessage {}

    /**
     * A purchase, as it stands in the topic.
     *
     * @param offset its place in the partition of the customer
     * @param cents at least 1
     */
    record Purchase(String customer, long offset, long cents) implements CustomerMessage {
        public Purchase {
            if (offset < 0 || cents < 1) {
                throw new IllegalArgumentException("a purchase has an offset from 0 on, and costs a cent or more");
            }
        }
    }
}
