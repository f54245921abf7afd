package dev.belay.store.read;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, newest first.
 *
 * @param next the cursor of the next page: the id of this page's last item; null at the end
 */
public record Page<T>(List<T> items, @Nullable UUID next) {

  public Page {
    items = List.copyOf(items);
  }

  /**
   * The requested part of a list.
   *
   * @param cursor only items older than this id; null starts at the newest
   */
  public record Window(@Nullable UUID cursor, int limit) {
    public Window {
      if (limit < 1) {
        throw new IllegalArgumentException("limit must be at least 1: " + limit);
      }
    }
  }

  /** Drops the row beyond the limit, which only showed that there are more. */
  static <T> Page<T> of(List<T> rows, Window window, Function<T, UUID> id) {
    if (rows.size() <= window.limit()) {
      return new Page<>(rows, null);
    }
    var items = rows.subList(0, window.limit());
    return new Page<>(items, id.apply(items.getLast()));
  }
}
