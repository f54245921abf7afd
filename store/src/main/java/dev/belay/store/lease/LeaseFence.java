package dev.belay.store.lease;

import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseToken;
import dev.belay.store.Sql;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Keeps a replica that no longer holds a lease from writing. Each batch locks the row of the lease
 * and compares the token. The next holder's acquisition waits for that lock, so the token cannot
 * change between the comparison and the end of the batch. A renewal does not wait.
 */
public final class LeaseFence {

  /** A frozen holder must not keep the next one waiting. */
  private static final String TIMEOUT = "SET LOCAL idle_in_transaction_session_timeout = '2s'";

  private LeaseFence() {}

  /** Must be the first statement of a batch's transaction. */
  public static void enter(Handle handle, LeaseToken token) {
    handle.execute(TIMEOUT);
    boolean held =
        handle
            .createQuery(Sql.named("lease/fence_lease"))
            .bind("name", token.job())
            .bind("holder", token.holder())
            .bind("token", token.value())
            .mapTo(Long.class)
            .findOne()
            .isPresent();
    if (!held) {
      throw new LeaseLost(token);
    }
  }

  /** Transactions behind the fence. */
  public static JobTransaction of(Jdbi jdbi, LeaseToken token) {
    return batch ->
        jdbi.inTransaction(
            handle -> {
              enter(handle, token);
              return batch.applyAsInt(handle);
            });
  }
}
