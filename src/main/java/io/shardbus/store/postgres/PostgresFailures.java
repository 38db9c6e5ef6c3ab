package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.vertx.pgclient.PgException;
import org.jspecify.annotations.Nullable;

/** Maps errors of the server or the connection to the failure of the call that met them. */
final class PostgresFailures {
    static final String DISK_FULL = ". Make room on the disk of the server; commands are refused until then, nothing of"
            + " them is stored, and no restart is needed";

    private static final String READ_ONLY = "25006";
    /** Class of the states that say that the server ran out of a resource: no fault of the statement. */
    private static final String RESOURCES = "53";

    private PostgresFailures() {}

    /** Whether the server of this connection takes no writes; after a failover another connection may reach another. */
    static boolean isReadOnly(@Nullable Throwable failure) {
        return failure instanceof PgException refused && READ_ONLY.equals(refused.getSqlState());
    }

    /**
     * The failure of a view's transaction. A failure of the server, such as a deadlock or a full disk, becomes one of
     * the store; any other failure is one of the handler's statement, and is returned as it is.
     */
    static Throwable ofTransaction(String store, Throwable failure) {
        if (!(failure instanceof PgException refused)) {
            return failure;
        }
        String state = refused.getSqlState();
        boolean mayPass = isReadOnly(failure) || state.startsWith(RESOURCES) || kind(state) == Kind.REPEAT;
        return mayPass ? of(store, failure) : failure;
    }

    static StoreException of(String store, Throwable failure) {
        if (failure instanceof StoreException known) {
            return known;
        }
        if (failure instanceof PgException refused) {
            // The message of a refused row may quote the row: its constraint says enough.
            String text = store + ": " + refused.getSqlState() + " " + refused.getErrorMessage()
                    + ("53100".equals(refused.getSqlState()) ? DISK_FULL : "");
            return new StoreException(kind(refused.getSqlState()), text, failure);
        }
        return new StoreException(Kind.UNREACHABLE, store + ": " + failure, failure);
    }

    /** The failure of a connection that was not made: no call has reached the store, and a later one may. */
    static StoreException ofConnecting(String store, Throwable failure) {
        StoreException known = of(store, failure);
        return known.kind() == Kind.UNREACHABLE || known.kind() == Kind.INCOMPATIBLE
                ? known
                : new StoreException(Kind.UNREACHABLE, String.valueOf(known.getMessage()), failure);
    }

    private static Kind kind(String state) {
        return switch (state) {
            case "40001", "40P01", "55P03" -> Kind.REPEAT;
            case "53100", READ_ONLY -> Kind.BLOCKED;
            default -> ofClass(state.substring(0, 2));
        };
    }

    /** Kind of failure by the first two characters of the SQL state, its class. */
    private static Kind ofClass(String stateClass) {
        return switch (stateClass) {
            case "21", "22", "23", "54" -> Kind.ROW_REFUSED;
            case "42", "0A", "3F" -> Kind.INCOMPATIBLE;
            default -> Kind.UNREACHABLE;
        };
    }
}
