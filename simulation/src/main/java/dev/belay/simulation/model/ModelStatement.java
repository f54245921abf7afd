package dev.belay.simulation.model;

import dev.belay.simulation.model.Table.Version;
import dev.belay.simulation.model.Transaction.Written;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One statement under READ COMMITTED. It finds rows in its snapshot. It checks a row that it locks
 * or writes again in its current version, and skips it when that no longer matches; data of other
 * rows stays as old as the snapshot. A row that did not match in the snapshot is not found, even if
 * it would match now. A statement does not see its own writes.
 */
final class ModelStatement {

  private final Transaction transaction;
  private final long snapshot;
  private final int command;

  ModelStatement(Transaction transaction, long snapshot, int command) {
    this.transaction = transaction;
    this.snapshot = snapshot;
    this.command = command;
  }

  Instant now() {
    return transaction.database.now();
  }

  <K extends Comparable<? super K>, R> Optional<R> read(Table<K, R> table, K key) {
    var seen = seen(table, key);
    return seen == null ? Optional.empty() : Optional.ofNullable(seen.row);
  }

  /** In key order. */
  <K extends Comparable<? super K>, R> List<R> rows(Table<K, R> table, Predicate<R> fits) {
    var found = new ArrayList<R>();
    for (Map.Entry<K, Version<R>> entry : table.rows.entrySet()) {
      var seen = seen(entry.getValue());
      if (seen != null && seen.row != null && fits.test(seen.row)) {
        found.add(seen.row);
      }
    }
    return found;
  }

  private <K extends Comparable<? super K>, R> @Nullable Version<R> seen(Table<K, R> table, K key) {
    return seen(table.rows.get(key));
  }

  private <R> @Nullable Version<R> seen(@Nullable Version<R> newest) {
    var version = newest;
    while (version != null && !isSeen(version)) {
      version = version.older;
    }
    return version;
  }

  private boolean isSeen(Version<?> version) {
    return version.writer == transaction
        ? version.command < command
        : version.writer.isCommittedBy(snapshot);
  }

  /** FOR UPDATE: the current row, if it was found and still matches. */
  <K extends Comparable<? super K>, R> Optional<R> lock(
      Table<K, R> table, K key, Predicate<R> fits) {
    return lock(table, key, fits, true);
  }

  /** FOR SHARE. */
  <K extends Comparable<? super K>, R> Optional<R> share(
      Table<K, R> table, K key, Predicate<R> fits) {
    return lock(table, key, fits, false);
  }

  private <K extends Comparable<? super K>, R> Optional<R> lock(
      Table<K, R> table, K key, Predicate<R> fits, boolean alone) {
    var seen = seen(table, key);
    if (seen == null || seen.row == null || !fits.test(seen.row)) {
      return Optional.empty();
    }
    if (!take(table, key, alone)) {
      throw new LockNotAvailable(table.name + " " + key);
    }
    return recheck(table, key, fits, seen);
  }

  /** FOR UPDATE SKIP LOCKED. */
  <K extends Comparable<? super K>, R> Optional<R> lockOrSkip(
      Table<K, R> table, K key, Predicate<R> fits) {
    var seen = seen(table, key);
    if (seen == null || seen.row == null || !fits.test(seen.row) || !take(table, key, true)) {
      return Optional.empty();
    }
    return recheck(table, key, fits, seen);
  }

  /** Skips a row that this statement itself wrote, because its snapshot lacks it. */
  private <K extends Comparable<? super K>, R> Optional<R> recheck(
      Table<K, R> table, K key, Predicate<R> fits, Version<R> seen) {
    var newest = table.rows.get(key);
    if (newest == null || newest.row == null || isOwn(newest)) {
      return Optional.empty();
    }
    boolean changed = newest != seen;
    return !changed || fits.test(newest.row) ? Optional.of(newest.row) : Optional.empty();
  }

  private boolean isOwn(Version<?> version) {
    return version.writer == transaction && version.command == command;
  }

  private <K extends Comparable<? super K>, R> boolean take(
      Table<K, R> table, K key, boolean alone) {
    var newest = table.rows.get(key);
    boolean written =
        newest != null && newest.writer != transaction && !newest.writer.isCommitted();
    if (written || !transaction.take(table.lockOf(key), alone)) {
      return false;
    }
    return true;
  }

  /**
   * UPDATE ... WHERE.
   *
   * @param change turns a copy of the current row into the new one
   * @return the new row, if one was found and still matches
   */
  <K extends Comparable<? super K>, R> Optional<R> update(
      Table<K, R> table, K key, Predicate<R> fits, Consumer<R> change) {
    return lock(table, key, fits)
        .map(
            now -> {
              R next = table.copier.apply(now);
              change.accept(next);
              write(table, key, next);
              return next;
            });
  }

  /** UPDATE ... WHERE of a row that is a value; returns whether one was found and still matches. */
  <K extends Comparable<? super K>, R> boolean replace(
      Table<K, R> table, K key, Predicate<R> fits, UnaryOperator<R> change) {
    var now = lock(table, key, fits);
    now.ifPresent(row -> write(table, key, change.apply(row)));
    return now.isPresent();
  }

  <K extends Comparable<? super K>, R> boolean delete(Table<K, R> table, K key) {
    boolean found = lock(table, key, any -> true).isPresent();
    if (found) {
      write(table, key, null);
    }
    return found;
  }

  <K extends Comparable<? super K>, R> void insert(Table<K, R> table, K key, R row) {
    if (!insertIfAbsent(table, key, row)) {
      throw new UniqueViolation(table.name + " " + key);
    }
  }

  /** ON CONFLICT DO NOTHING, which checks the current row. */
  <K extends Comparable<? super K>, R> boolean insertIfAbsent(Table<K, R> table, K key, R row) {
    var newest = table.rows.get(key);
    if (newest != null && newest.writer != transaction && !newest.writer.isCommitted()) {
      throw new LockNotAvailable(table.name + " " + key);
    }
    if (newest != null && newest.row != null) {
      return false;
    }
    write(table, key, row);
    return true;
  }

  /**
   * ON CONFLICT DO UPDATE ... WHERE, which checks the current row.
   *
   * @param change turns a copy of the current row into the new one
   * @return the new row, unless the current one does not match
   */
  <K extends Comparable<? super K>, R> Optional<R> upsert(
      Table<K, R> table, K key, R row, Predicate<R> fits, Consumer<R> change) {
    if (insertIfAbsent(table, key, row)) {
      return Optional.of(row);
    }
    if (!take(table, key, true)) {
      throw new LockNotAvailable(table.name + " " + key);
    }
    var newest = table.rows.get(key);
    if (newest == null || newest.row == null || !fits.test(newest.row)) {
      return Optional.empty();
    }
    R next = table.copier.apply(newest.row);
    change.accept(next);
    write(table, key, next);
    return Optional.of(next);
  }

  private <K extends Comparable<? super K>, R> void write(
      Table<K, R> table, K key, @Nullable R row) {
    var older = table.rows.get(key);
    table.rows.put(key, new Version<>(row, transaction, command, older));
    transaction.wrote(new Written<>(table, key, older));
  }

  /** A rollback does not return numbers. */
  long next(Sequence sequence) {
    return sequence.next();
  }

  /** Takes an advisory lock until the end of the transaction. */
  void advise(RowLock lock, String what, boolean alone) {
    if (!transaction.take(lock, alone)) {
      throw new LockNotAvailable(what);
    }
  }
}
