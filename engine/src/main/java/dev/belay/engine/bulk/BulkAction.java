package dev.belay.engine.bulk;

import dev.belay.domain.bulk.BulkRefusal;
import dev.belay.domain.id.WorkerId;
import dev.belay.engine.port.Effects;
import dev.belay.engine.statement.BulkStatements.Item;
import dev.belay.engine.statement.BulkStatements.Order;
import dev.belay.engine.statement.Statements;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a kind of bulk operation does to one item. One thread calls it. */
interface BulkAction {

  /** Whether it locks nothing but the item: then several may share a transaction. */
  boolean locksOnlyItself(Item item);

  /** Before the transaction: reads what never changes. */
  default void prepare(Item item) {}

  /** Takes the locks that must come before the item's own; the order is tasks, then runs. */
  default void lockBefore(Statements statements, Item item) {}

  /** Under the lock of the item, which matches. */
  Done act(Statements statements, Order order, Item item);

  /**
   * What was written. The phase counts the effects and sends the hints, after the commit.
   *
   * @param refusal null when it changed
   * @param why more about the refusal
   * @param toTell workers that hold an attempt which must end
   * @param runChanged the leader has something to do
   */
  record Done(
      @Nullable BulkRefusal refusal,
      String why,
      Set<WorkerId> toTell,
      boolean runChanged,
      Effects effects) {

    static Done changed(Set<WorkerId> toTell, boolean runChanged, Effects effects) {
      return new Done(null, "", toTell, runChanged, effects);
    }

    static Done refused(BulkRefusal refusal, String why) {
      return new Done(refusal, why, Set.of(), false, Effects.NONE);
    }
  }
}
