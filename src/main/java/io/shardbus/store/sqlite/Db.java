package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.ReadBytes;
import io.vertx.core.buffer.Buffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection with its prepared statements, used by one thread. */
final class Db implements AutoCloseable {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** Makes a value of a row. */
    interface RowMapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    Db(Connection connection) {
        this.connection = connection;
    }

    /** Runs a statement without parameters or result. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs a statement that changes rows, and counts them. */
    int update(String sql, @Nullable Object... parameters) throws SQLException {
        return bound(sql, parameters).executeUpdate();
    }

    /** Like {@link #query}, up to the row that fills the answer; the mapper adds its rows to that. */
    <T> List<T> page(ReadBytes answer, String sql, RowMapper<T> mapper, @Nullable Object... parameters)
            throws SQLException {
        List<T> found = new ArrayList<>();
        try (ResultSet rows = bound(sql, parameters).executeQuery()) {
            while (!answer.isFull() && rows.next()) {
                found.add(mapper.map(rows));
            }
        }
        return found;
    }

    <T> List<T> query(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        List<T> found = new ArrayList<>();
        try (ResultSet rows = bound(sql, parameters).executeQuery()) {
            while (rows.next()) {
                found.add(mapper.map(rows));
            }
        }
        return found;
    }

    /** The only row of a query, or null. */
    <T> @Nullable T first(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = bound(sql, parameters).executeQuery()) {
            return rows.next() ? mapper.map(rows) : null;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    static @Nullable Buffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : Buffer.buffer(bytes);
    }

    private PreparedStatement bound(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            if (parameter instanceof Buffer buffer) {
                statement.setBytes(i + 1, buffer.getBytes());
            } else {
                statement.setObject(i + 1, parameter);
            }
        }
        return statement;
    }
}
