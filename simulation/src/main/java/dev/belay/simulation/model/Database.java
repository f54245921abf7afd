package dev.belay.simulation.model;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Transactions of one thread. A second one begins in the middle of a statement of the first, and
 * overtakes it by ending before that statement continues. It never waits for a lock, because the
 * holder cannot continue to release it.
 */
final class Database implements Session {

  private final InstantSource clock;
  private final Deque<Transaction> open = new ArrayDeque<>();
  private final List<Transaction.Written<?, ?>> forgetting = new ArrayList<>();
  private Runnable others = () -> {};
  private long commits;

  Database(InstantSource clock) {
    this.clock = clock;
  }

  /** Sets what may happen in the middle of each statement; returns the previous one. */
  Runnable others(Runnable act) {
    var before = others;
    others = act;
    return before;
  }

  void letOthersAct() {
    others.run();
  }

  /** Timestamps have microseconds, to which their text is rounded. */
  Instant now() {
    Instant now = clock.instant();
    long micros = (long) Math.rint(now.getNano() / 1e9 * 1e6);
    return Instant.ofEpochSecond(now.getEpochSecond(), micros * 1_000);
  }

  long commits() {
    return commits;
  }

  /** One statement in its own transaction. */
  @Override
  public <T> T statement(Function<ModelStatement, T> work) {
    return transaction(transaction -> transaction.statement(work));
  }

  /** Reads committed data without interleaving. */
  <T> T look(Function<ModelStatement, T> reading) {
    return reading.apply(new ModelStatement(new Transaction(this), commits, 0));
  }

  <T> T transaction(Function<Transaction, T> work) {
    var transaction = new Transaction(this);
    open.push(transaction);
    boolean done = false;
    try {
      T answer = work.apply(transaction);
      transaction.requireAlive();
      done = true;
      return answer;
    } finally {
      open.remove(transaction);
      if (done) {
        transaction.commit(++commits);
      } else if (!transaction.isTerminated()) {
        transaction.rollBack();
      }
      forgetting.addAll(transaction.writes());
      if (open.isEmpty()) {
        forgetting.forEach(Transaction.Written::forget);
        forgetting.clear();
      }
    }
  }
}
