package dev.belay.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Some statements that are written together or not at all. */
final class Transaction {

  final Database database;
  private final List<Runnable> undo = new ArrayList<>();
  private final List<Runnable> forget = new ArrayList<>();
  private final List<Runnable> committed = new ArrayList<>();
  private final List<RowLock> locks = new ArrayList<>();
  private @Nullable Long committedAt;
  private boolean terminated;
  private int commands;

  Transaction(Database database) {
    this.database = database;
  }

  /**
   * Takes its snapshot, then others may act, then it reads as of the snapshot and writes to what is
   * there now.
   */
  <T> T statement(Function<Statement, T> work) {
    requireAlive();
    var statement = new Statement(this, database.commits(), commands++);
    database.letOthersAct();
    requireAlive();
    return work.apply(statement);
  }

  void requireAlive() {
    if (terminated) {
      throw new Terminated();
    }
  }

  /** Its next step fails, and so does its commit; harmless when it is over. */
  void terminate() {
    terminated = true;
    rollBack();
  }

  boolean isTerminated() {
    return terminated;
  }

  boolean isCommittedBy(long snapshot) {
    return committedAt != null && committedAt <= snapshot;
  }

  boolean isCommitted() {
    return committedAt != null;
  }

  void onRollback(Runnable action) {
    undo.add(action);
  }

  /** Only if something was written. */
  void onCommit(Runnable action) {
    committed.add(action);
  }

  void onEnd(Runnable action) {
    forget.add(action);
  }

  boolean take(RowLock lock, boolean alone) {
    if (!lock.take(this, alone)) {
      return false;
    }
    locks.add(lock);
    return true;
  }

  void commit(long number) {
    committedAt = number;
    release();
    if (!undo.isEmpty()) {
      undo.clear();
      committed.forEach(Runnable::run);
    }
  }

  void rollBack() {
    undo.reversed().forEach(Runnable::run);
    undo.clear();
    release();
  }

  private void release() {
    locks.forEach(lock -> lock.release(this));
    locks.clear();
  }

  List<Runnable> forgetting() {
    return forget;
  }
}
