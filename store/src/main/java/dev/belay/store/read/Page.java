package dev.belay.store.read;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, newest first.
 *
 * @param next the cursor of the next page: the id of the last item here; null at the end
 */
public record Page<T>(List<T> items, @Nullable UUID next) {

  public Page {
    items = List.copyOf(items);
  }

  /**
   * Which part of a list is wanted.
   *
   * @param cursor only what is older than this id; null begins at the newest
   */
  public record Window(@Nullable UUID cursor, int limit) {
    public Window {
      if (limit < 1) {
        throw new IllegalArgumentException("limit must be at least 1: " + limit);
      }
    }
  }

  /** Cuts the row that was read beyond the limit to learn whether there is more. */
  static <T> Page<T> of(List<T> rows, Window window, Function<T, UUID> id) {
    if (rows.size() <= window.limit()) {
      return new Page<>(rows, null);
    }
    var items = rows.subList(0, window.limit());
    return new Page<>(items, id.apply(items.getLast()));
  }
}
