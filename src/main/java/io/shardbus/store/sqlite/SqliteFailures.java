package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What an error of SQLite says about the call that met it. */
final class SqliteFailures {
    /** The primary code is the lowest byte of an extended one. */
    private static final int PRIMARY = 0xff;

    private SqliteFailures() {}

    static StoreException of(String store, SQLException failure) {
        return new StoreException(kind(failure), store + ": " + failure.getMessage(), failure);
    }

    /** Whether the transaction may be stored although the call failed, and the connection is to be made anew. */
    static boolean isUnknown(StoreException failure) {
        return failure.kind() == Kind.UNREACHABLE;
    }

    private static Kind kind(SQLException failure) {
        if (!(failure instanceof SQLiteException)) {
            return Kind.UNREACHABLE;
        }
        SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(failure.getErrorCode() & PRIMARY);
        return switch (code) {
            case SQLITE_BUSY, SQLITE_LOCKED -> Kind.REPEAT;
            case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE -> Kind.ROW_REFUSED;
            case SQLITE_FULL, SQLITE_READONLY, SQLITE_PERM, SQLITE_CORRUPT -> Kind.BLOCKED;
            case SQLITE_NOTADB -> Kind.INCOMPATIBLE;
            default -> Kind.UNREACHABLE;
        };
    }
}
