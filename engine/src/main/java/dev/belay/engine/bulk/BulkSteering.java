package dev.belay.engine.bulk;

import dev.belay.domain.bulk.BulkState;
import dev.belay.domain.id.BulkId;
import dev.belay.engine.port.Hints;
import dev.belay.engine.statement.BulkStatements;
import dev.belay.engine.statement.Transactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels bulk operations. */
public final class BulkSteering {

  private static final Logger log = LoggerFactory.getLogger(BulkSteering.class);

  private final Transactions transactions;
  private final Hints hints;

  public BulkSteering(Transactions transactions, Hints hints) {
    this.transactions = transactions;
    this.hints = hints;
  }

  /**
   * Once this returns, the operation changes no further item: it waits for the lock that a
   * transaction of the operation holds.
   */
  public BulkSteer cancel(BulkId id, String actor) {
    var answer = transactions.together(statements -> cancel(statements.bulks(), id, actor));
    if (answer instanceof BulkSteer.Cancelled) {
      hints.runChanged();
      log.atInfo().addKeyValue("bulk", id).addKeyValue("actor", actor).log("bulk cancelled");
    }
    return answer;
  }

  private static BulkSteer cancel(BulkStatements bulks, BulkId id, String actor) {
    if (bulks.cancel(id, "cancelled by " + actor)) {
      return new BulkSteer.Cancelled();
    }
    return bulks
        .findState(id)
        .<BulkSteer>map(
            state ->
                state == BulkState.CANCELLED
                    ? new BulkSteer.Cancelled()
                    : new BulkSteer.AlreadyOver(state))
        .orElseGet(BulkSteer.NotFound::new);
  }
}
