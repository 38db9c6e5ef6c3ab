package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Maps errors of SQLite to the failure of the call that met them. */
final class SqliteFailures {
    /** The primary code is the lowest byte of an extended one. */
    private static final int PRIMARY = 0xff;

    static final String DISK_FULL = ". Make room on the disk of the file; commands are refused until then, nothing of"
            + " them is stored, and no restart is needed";

    static final String NO_FILE =
            ". The file is made where it is missing, its directory is not: make that, and let this"
                    + " process read and write both";

    private SqliteFailures() {}

    static StoreException of(String store, SQLException failure) {
        return new StoreException(kind(failure), store + ": " + failure.getMessage() + advice(failure), failure);
    }

    private static String advice(SQLException failure) {
        return switch (code(failure)) {
            case SQLITE_FULL -> DISK_FULL;
            case SQLITE_CANTOPEN -> NO_FILE;
            default -> "";
        };
    }

    /** Whether the transaction may be stored although the call failed, and the connection is to be made anew. */
    static boolean isUnknown(StoreException failure) {
        return failure.kind() == Kind.UNREACHABLE;
    }

    private static SQLiteErrorCode code(SQLException failure) {
        return SQLiteErrorCode.getErrorCode(failure.getErrorCode() & PRIMARY);
    }

    private static Kind kind(SQLException failure) {
        if (!(failure instanceof SQLiteException)) {
            return Kind.UNREACHABLE;
        }
        return switch (code(failure)) {
            case SQLITE_BUSY, SQLITE_LOCKED -> Kind.REPEAT;
            case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE -> Kind.ROW_REFUSED;
            case SQLITE_FULL, SQLITE_READONLY, SQLITE_PERM, SQLITE_CORRUPT -> Kind.BLOCKED;
            case SQLITE_NOTADB -> Kind.INCOMPATIBLE;
            default -> Kind.UNREACHABLE;
        };
    }
}
