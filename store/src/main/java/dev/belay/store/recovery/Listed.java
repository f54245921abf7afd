package dev.belay.store.recovery;

import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of numbered rows, newest first.
 *
 * @param next the cursor of the next page: the number of this page's last item; null at the end
 */
public record Listed<T>(List<T> items, @Nullable Long next) {

  public Listed {
    items = List.copyOf(items);
  }

  /**
   * @param cursor only rows older than this one; null starts at the newest
   */
  static <T> Listed<T> newest(
      Jdbi jdbi,
      String statement,
      @Nullable Long cursor,
      int limit,
      RowMapper<T> mapper,
      Function<T, Long> number) {
    var sql = Sql.named(statement, cursor == null ? Set.of() : Set.of("cursor"));
    // One row beyond the limit shows whether there are more.
    List<T> rows =
        jdbi.withHandle(
            handle -> {
              var query = handle.createQuery(sql).bind("limit", limit + 1);
              if (cursor != null) {
                query.bind("cursor", cursor);
              }
              return query.setQueryTimeout(Reads.TIMEOUT_SECONDS).map(mapper).list();
            });
    if (rows.size() <= limit) {
      return new Listed<>(rows, null);
    }
    List<T> items = rows.subList(0, limit);
    return new Listed<>(items, number.apply(items.getLast()));
  }
}
