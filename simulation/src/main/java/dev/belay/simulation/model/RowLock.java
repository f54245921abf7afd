package dev.belay.simulation.model;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shared by many or held by one, until the end of the transaction. */
final class RowLock {

  private final Set<Transaction> shared = new HashSet<>();
  private @Nullable Transaction exclusive;

  /** False when another transaction is in the way. */
  boolean take(Transaction by, boolean alone) {
    boolean free =
        (exclusive == null || exclusive == by)
            && (!alone || shared.isEmpty() || (shared.size() == 1 && shared.contains(by)));
    if (!free) {
      return false;
    }
    if (alone) {
      exclusive = by;
    } else {
      shared.add(by);
    }
    return true;
  }

  Set<Transaction> holders() {
    var holders = new HashSet<>(shared);
    if (exclusive != null) {
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
