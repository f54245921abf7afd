package dev.belay.simulation.model;

import dev.belay.simulation.model.Table.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Statements that commit together or not at all. */
final class Transaction implements Session {

  final Database database;
  private final List<Written<?, ?>> writes = new ArrayList<>();
  private final List<Runnable> committed = new ArrayList<>();
  private final List<RowLock> locks = new ArrayList<>();
  private @Nullable Long committedAt;
  private boolean terminated;
  private int commands;

  Transaction(Database database) {
    this.database = database;
  }

  /** Takes its snapshot, lets others act, then reads the snapshot and writes to current rows. */
  @Override
  public <T> T statement(Function<ModelStatement, T> work) {
    requireAlive();
    var statement = new ModelStatement(this, database.commits(), commands++);
    database.letOthersAct();
    requireAlive();
    return work.apply(statement);
  }

  void requireAlive() {
    if (terminated) {
      throw new Terminated();
    }
  }

  /** Makes its next step or commit fail; harmless when it is over. */
  void terminate() {
    if (!isCommitted()) {
      terminated = true;
      rollBack();
    }
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

  /**
   * A version that it wrote.
   *
   * @param older the version before
   */
  record Written<K extends Comparable<? super K>, R>(
      Table<K, R> table, K key, @Nullable Version<R> older) {

    private void undo() {
      table.restore(key, older);
    }

    private void tell() {
      table.tell(key);
    }

    /** Call when no statement can see the older versions. */
    void forget() {
      table.forgetOlder(key);
    }
  }

  void wrote(Written<?, ?> written) {
    writes.add(written);
  }

  /** Runs only if something was written. */
  void onCommit(Runnable action) {
    committed.add(action);
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
    if (!writes.isEmpty()) {
      writes.forEach(Written::tell);
      committed.forEach(Runnable::run);
    }
  }

  void rollBack() {
    writes.reversed().forEach(Written::undo);
    writes.clear();
    release();
  }

  private void release() {
    locks.forEach(lock -> lock.release(this));
    locks.clear();
  }

  /** Its writes, if it committed. */
  List<Written<?, ?>> writes() {
    return writes;
  }
}
