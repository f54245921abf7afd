package dev.belay.store;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.DelegatingTransactionHandler;
import org.jdbi.v3.core.transaction.LocalTransactionHandler;
import org.jdbi.v3.core.transaction.TransactionHandler;

/** Sends COMMIT only while the thread's request is still unanswered. */
final class ClaimedTransactions extends DelegatingTransactionHandler {

  ClaimedTransactions() {
    this(LocalTransactionHandler.binding());
  }

  private ClaimedTransactions(TransactionHandler delegate) {
    super(delegate);
  }

  @Override
  public TransactionHandler specialize(Handle handle) throws SQLException {
    return new ClaimedTransactions(getDelegate().specialize(handle));
  }

  @Override
  public void begin(Handle handle) {
    var claim = CommitClaim.current();
    if (claim != null) {
      claim.checkOpen();
    }
    super.begin(handle);
  }

  @Override
  public void commit(Handle handle) {
    var claim = CommitClaim.current();
    if (claim == null) {
      super.commit(handle);
      return;
    }
    claim.claim();
    try {
      super.commit(handle);
    } catch (RuntimeException failed) {
      // An unanswered COMMIT may have succeeded; one that PostgreSQL refused has not.
      if (Retry.stateOf(failed) != null && !Retry.isAway(failed)) {
        claim.rolledBack();
      }
      throw failed;
    }
    claim.committed();
  }
}
