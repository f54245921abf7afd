package dev.belay.engine.bulk;

import dev.belay.engine.statement.BulkStatements.Item;
import dev.belay.engine.statement.BulkStatements.Looked;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The next items of an operation, read ahead. What they are is decided behind their locks. */
final class BulkBuffer {

  private final List<Item> items;
  private final @Nullable UUID last;
  private @Nullable UUID cursor;
  private int next;

  /** So many of the next items are tried one by one, because together they failed. */
  private int singly;

  /** How often the next item failed by itself. */
  private int failures;

  BulkBuffer(@Nullable UUID cursor, Looked looked) {
    this.cursor = cursor;
    this.items = looked.items();
    this.last = looked.last();
  }

  /** Whether it continues where the operation is. */
  boolean isAt(@Nullable UUID position) {
    return Objects.equals(cursor, position);
  }

  boolean isEmpty() {
    return next == items.size();
  }

  /** The last one that was looked at, once the items are dealt with; null when none is left. */
  @Nullable UUID last() {
    return last;
  }

  /** The next items for one transaction: at least one. */
  List<Item> take(int max, BulkAction action) {
    var batch = new ArrayList<Item>();
    int most = singly > 0 ? 1 : max;
    for (int i = next; i < items.size() && batch.size() < most; i++) {
      Item item = items.get(i);
      boolean alone = !action.locksOnlyItself(item);
      if (alone && !batch.isEmpty()) {
        break;
      }
      batch.add(item);
      if (alone) {
        break;
      }
    }
    return batch;
  }

  void done(List<Item> batch) {
    next += batch.size();
    cursor = batch.getLast().id();
    singly = Math.max(0, singly - batch.size());
    failures = 0;
  }

  /**
   * @return how often this item has failed by itself; 0 when it was not alone
   */
  int failed(List<Item> batch) {
    if (batch.size() > 1) {
      singly = batch.size();
      return 0;
    }
    failures++;
    return failures;
  }
}
