package dev.belay.store;

import dev.belay.engine.statement.AttemptKey;
import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Binds rows column by column, for statements that {@code unnest} arrays. The arrays use
 * PostgreSQL's binary form, which saves formatting and parsing each element as text.
 */
public final class Unnest {

  /** pgjdbc writes these in binary form, but only when the array has exactly this class. */
  private static final Map<Class<?>, String> TYPES =
      Map.of(
          String.class, "text",
          Integer.class, "int4",
          Long.class, "int8",
          Double.class, "float8",
          Boolean.class, "bool");

  private static final int UUID_BYTES = 2 * Long.BYTES;

  private Unnest() {}

  public static <S extends SqlStatement<S>, T> S bind(
      S statement, String name, Class<?> type, List<T> rows, Function<T, @Nullable Object> column) {
    var values = (Object[]) java.lang.reflect.Array.newInstance(type, rows.size());
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    Argument argument =
        (position, prepared, context) ->
            prepared.setArray(position, array(prepared.getConnection(), type, values));
    return statement.bind(name, argument);
  }

  /** Binds {@code tasks} and {@code dispatches}. */
  public static <S extends SqlStatement<S>> S keys(S statement, Collection<AttemptKey> attempts) {
    List<AttemptKey> rows = List.copyOf(attempts);
    bind(statement, "tasks", UUID.class, rows, one -> one.task().value());
    return bind(statement, "dispatches", UUID.class, rows, one -> one.dispatch().value());
  }

  private static Array array(Connection connection, Class<?> type, Object[] values)
      throws SQLException {
    if (type == UUID.class) {
      return new PgArray(
          connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, binary((UUID[]) values));
    }
    String name = TYPES.get(type);
    if (name == null) {
      throw new IllegalArgumentException("no arrays of " + type);
    }
    return connection.createArrayOf(name, values);
  }

  /** pgjdbc writes these as text. */
  private static byte[] binary(UUID[] values) {
    int nulls = 0;
    for (UUID value : values) {
      nulls += value == null ? 1 : 0;
    }
    var bytes =
        ByteBuffer.allocate(
            5 * Integer.BYTES
                + values.length * Integer.BYTES
                + (values.length - nulls) * UUID_BYTES);
    bytes.putInt(values.length == 0 ? 0 : 1).putInt(nulls == 0 ? 0 : 1).putInt(Oid.UUID);
    if (values.length == 0) {
      return java.util.Arrays.copyOf(bytes.array(), bytes.position());
    }
    bytes.putInt(values.length).putInt(1);
    for (UUID value : values) {
      if (value == null) {
        bytes.putInt(-1);
      } else {
        bytes.putInt(UUID_BYTES);
        bytes.putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
      }
    }
    return bytes.array();
  }
}
