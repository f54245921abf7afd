package dev.belay.store;

import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Binds rows column by column, for statements that take arrays and {@code unnest} them. */
public final class Arrays {

  private Arrays() {}

  public static <S extends SqlStatement<S>, T> S bind(
      S statement, String name, Class<?> type, List<T> rows, Function<T, @Nullable Object> column) {
    var values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return statement.bindArray(name, type, values);
  }
}
