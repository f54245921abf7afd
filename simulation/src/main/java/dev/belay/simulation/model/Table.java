package dev.belay.simulation.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Versions of the row of each key, newest first, and the holder of its lock. Rows are immutable; a
 * change adds a version.
 */
final class Table<K extends Comparable<? super K>, R> {

  /**
   * One version of a row.
   *
   * <p>A null row means deleted.
   */
  static final class Version<R> {
    final @Nullable R row;
    final Transaction writer;
    final int command;
    @Nullable Version<R> older;

    Version(@Nullable R row, Transaction writer, int command, @Nullable Version<R> older) {
      this.row = row;
      this.writer = writer;
      this.command = command;
      this.older = older;
    }
  }

  final String name;
  final UnaryOperator<R> copier;
  final TreeMap<K, Version<R>> rows = new TreeMap<>();

  /** The written keys in the order of commits; kept only for tables whose log is read. */
  final List<K> log = new ArrayList<>();

  private final Map<K, RowLock> locks = new HashMap<>();
  private final boolean logged;

  /**
   * @param copier makes a copy that may be changed until it is written
   */
  Table(String name, UnaryOperator<R> copier) {
    this(name, copier, false);
  }

  private Table(String name, UnaryOperator<R> copier, boolean logged) {
    this.name = name;
    this.copier = copier;
    this.logged = logged;
  }

  static <K extends Comparable<? super K>, R> Table<K, R> logged(
      String name, UnaryOperator<R> copier) {
    return new Table<>(name, copier, true);
  }

  /** A version of it committed. */
  void tell(K key) {
    if (logged) {
      log.add(key);
    }
  }

  /** A version of it was rolled back. */
  void restore(K key, @Nullable Version<R> older) {
    if (older == null) {
      rows.remove(key);
    } else {
      rows.put(key, older);
    }
  }

  RowLock lockOf(K key) {
    return locks.computeIfAbsent(key, unlocked -> new RowLock());
  }

  /** What a new statement would see, without writes of its own. */
  Optional<R> committed(K key) {
    var version = rows.get(key);
    while (version != null && !version.writer.isCommitted()) {
      version = version.older;
    }
    return version == null ? Optional.empty() : Optional.ofNullable(version.row);
  }

  /** Drops versions that no statement can see any more. */
  void forgetOlder(K key) {
    var newest = rows.get(key);
    if (newest != null) {
      newest.older = null;
      if (newest.row == null) {
        rows.remove(key);
      }
    }
    locks.remove(key);
  }
}
