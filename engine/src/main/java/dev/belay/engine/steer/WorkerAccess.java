package dev.belay.engine.steer;

import dev.belay.domain.id.WorkerId;
import dev.belay.engine.port.Hints;
import dev.belay.engine.statement.Transactions;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Controls which workers may join. Every call is idempotent. */
public final class WorkerAccess {

  private static final Logger log = LoggerFactory.getLogger(WorkerAccess.class);

  private final Transactions transactions;
  private final Hints hints;

  public WorkerAccess(Transactions transactions, Hints hints) {
    this.transactions = transactions;
    this.hints = hints;
  }

  /**
   * Rejects its key from now on; its replica cuts its stream, and its tasks end {@code
   * worker_gone}.
   *
   * @return false when there is no such worker
   */
  public boolean revoke(WorkerId id, String actor) {
    boolean known =
        transactions.together(
            statements -> {
              boolean revoked = statements.steer().revokeKey(id, actor);
              statements.steer().cutWorker(id);
              return revoked;
            });
    if (known) {
      log.atInfo().addKeyValue("worker", id).addKeyValue("actor", actor).log("worker revoked");
      hints.mailbox(id);
    }
    return known;
  }

  /**
   * Deletes its key: the next hello with this id sets a new one.
   *
   * @return false when it has no key, as when called twice
   */
  public boolean allow(WorkerId id, String actor) {
    boolean forgotten = transactions.together(statements -> statements.steer().forgetKey(id));
    if (forgotten) {
      log.atInfo().addKeyValue("worker", id).addKeyValue("actor", actor).log("worker allowed");
    }
    return forgotten;
  }

  /** At most {@code max} workers that report this name. */
  public List<WorkerId> named(String name, int max) {
    return transactions.each(statements -> statements.steer().findWorkersNamed(name, max));
  }
}
