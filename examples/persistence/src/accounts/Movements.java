package accounts;

import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionHandler;
import io.vertx.core.Future;
import java.util.List;

/** A table of what happened to each account, in the database of the accounts. */
interface Movements {
    String TABLE = """
            CREATE TABLE IF NOT EXISTS movement (id text NOT NULL, sequence bigint NOT NULL, kind text NOT NULL,
            amount bigint NOT NULL, account text, PRIMARY KEY (id, sequence))""";
    String ADD = "INSERT INTO movement VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    /** Of an account that was erased: what came before. */
    String REMOVE = "DELETE FROM movement WHERE id = $1 AND sequence < $2";

    String OF = "SELECT sequence, kind, amount, account FROM movement WHERE id = $1 ORDER BY sequence";

    /** @param account the other one of a transfer, else null */
    record Movement(long sequence, String kind, long amount, String account) {
        static Movement of(EventEnvelope<AccountEvent> stored) {
            AccountEvent event = stored.event();
            String kind = "transfer";
            String account = null;
            if (event instanceof AccountEvent.Deposited) {
                kind = "deposit";
            } else if (event instanceof AccountEvent.Withdrawn) {
                kind = "withdraw";
            } else if (event instanceof AccountEvent.Transferred transferred) {
                account = transferred.to();
            } else if (event instanceof AccountEvent.Arrived arrived) {
                account = arrived.from();
            }
            return new Movement(stored.sequenceNumber(), kind, event.change(), account);
        }
    }

    /** Makes the table where it is missing. */
    Future<?> open();

    /** Writes the table. */
    ProjectionHandler<AccountEvent> handler();

    /** The movements of an account, in order. */
    Future<List<Movement>> of(String id);
}
