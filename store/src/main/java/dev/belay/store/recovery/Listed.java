package dev.belay.store.recovery;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of numbered rows, newest first.
 *
 * @param next the number of the last item here, which is the cursor of the next page; null at the
 *     end
 */
public record Listed<T>(List<T> items, @Nullable Long next) {

  public Listed {
    items = List.copyOf(items);
  }

  /** Cuts the row that was read beyond the limit to learn whether there is more. */
  static <T> Listed<T> of(List<T> rows, int limit, Function<T, Long> number) {
    if (rows.size() <= limit) {
      return new Listed<>(rows, null);
    }
    List<T> items = rows.subList(0, limit);
    return new Listed<>(items, number.apply(items.getLast()));
  }
}
