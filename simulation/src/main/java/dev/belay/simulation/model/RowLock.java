package dev.belay.simulation.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shared or exclusive, until the end of the transaction. */
final class RowLock {

  private final List<Transaction> shared = new ArrayList<>(1);
  private @Nullable Transaction exclusive;

  /** False when another transaction holds a conflicting lock. */
  boolean take(Transaction by, boolean alone) {
    boolean free =
        (exclusive == null || exclusive == by)
            && (!alone || shared.isEmpty() || (shared.size() == 1 && shared.contains(by)));
    if (!free) {
      return false;
    }
    if (alone) {
      exclusive = by;
    } else if (!shared.contains(by)) {
      shared.add(by);
    }
    return true;
  }

  List<Transaction> holders() {
    var holders = new ArrayList<>(shared);
    if (exclusive != null && !shared.contains(exclusive)) {
      holders.add(exclusive);
    }
    return holders;
  }

  void release(Transaction by) {
    shared.remove(by);
    if (exclusive == by) {
      exclusive = null;
    }
  }
}
