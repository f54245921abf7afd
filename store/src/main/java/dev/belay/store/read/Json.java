package dev.belay.store.read;

import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jspecify.annotations.Nullable;

/** JSON text as PostgreSQL stores it, passed on unparsed. */
public record Json(String text) {

  static final ColumnMapper<@Nullable Json> COLUMN =
      (row, column, context) -> {
        String text = row.getString(column);
        return text == null ? null : new Json(text);
      };
}
