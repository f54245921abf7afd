package dev.belay.simulation.model;

import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.simulation.model.LeaderLock.Session;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Leader election by a lock of the session. {@link #resign} from outside ends the session, even in
 * the middle of a campaign, as a broken connection does.
 */
final class MemoryElection implements Election {

  private static final int LOCK_TRIES_MAX = 3;

  private final Tables tables;
  private final String replica;
  private @Nullable Session session;
  private boolean leads;

  MemoryElection(Tables tables, String replica) {
    this.tables = tables;
    this.replica = replica;
  }

  @Override
  public Optional<Epoch> campaign() {
    Session open = session();
    boolean taken =
        tables.database.statement(statement -> !open.isEnded() && tables.leaderLock.tryTake(open));
    if (!taken) {
      return Optional.empty();
    }
    try {
      Epoch epoch = raiseEpoch(open);
      leads = true;
      return Optional.of(epoch);
    } catch (LockNotAvailable | Terminated failed) {
      abort(open);
      return Optional.empty();
    }
  }

  private Session session() {
    Session open = session;
    if (open == null || open.isEnded()) {
      open = new Session();
      session = open;
      leads = false;
    }
    return open;
  }

  private Epoch raiseEpoch(Session open) {
    for (int tries = 1; ; tries++) {
      try {
        return tables.database.transaction(transaction -> raise(open, transaction));
      } catch (LockNotAvailable behindTheLock) {
        if (tries == LOCK_TRIES_MAX) {
          throw behindTheLock;
        }
        cutOff();
      }
    }
  }

  private Epoch raise(Session open, Transaction transaction) {
    if (open.isEnded()) {
      throw new Terminated();
    }
    open.uses(transaction);
    transaction.<Boolean>statement(
        statement -> {
          statement.advise(tables.epochLock, "the epoch lock", true);
          return true;
        });
    return transaction.statement(
        statement ->
            statement
                .update(
                    tables.leadership,
                    true,
                    any -> true,
                    row -> {
                      row.epoch++;
                      row.leader = replica;
                      row.since = statement.now();
                    })
                .map(row -> new Epoch(row.epoch))
                .orElseThrow());
  }

  /**
   * Ends the sessions that hold the epoch lock. We hold the leader lock, so they belong to an old
   * epoch, and their uncommitted writes are lost.
   */
  private void cutOff() {
    tables.database.<Boolean>statement(
        statement -> {
          tables.epochLock.holders().forEach(Transaction::terminate);
          return true;
        });
  }

  @Override
  public boolean renew() {
    Session open = session;
    if (open == null || !leads) {
      return false;
    }
    return tables.database.statement(statement -> !open.isEnded());
  }

  @Override
  public void resign() {
    Session open = session;
    if (open != null) {
      abort(open);
    }
  }

  private void abort(Session ended) {
    ended.end();
    if (session == ended) {
      session = null;
      leads = false;
    }
  }
}
