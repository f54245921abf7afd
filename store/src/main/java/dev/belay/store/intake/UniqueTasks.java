package dev.belay.store.intake;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Unique;
import dev.belay.domain.spec.Unique.Hold;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.SteerStatements.LockedTask;
import dev.belay.engine.steer.Termination;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.intake.Submission.Held;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the unique keys of one submit, in its transaction. The rows of the keys are locked,
 * in one order, so of two submits with the same key the second finds what the first left. Lives for
 * one try of one transaction.
 */
final class UniqueTasks {

  /** A task of the submit. */
  record Fresh(UUID id, NewTask task) {}

  private record Name(String tenant, String key) implements Comparable<Name> {
    static Name of(NewTask task) {
      return new Name(task.tenant(), Objects.requireNonNull(task.unique()).key());
    }

    @Override
    public int compareTo(Name other) {
      int byTenant = tenant.compareTo(other.tenant);
      return byTenant != 0 ? byTenant : key.compareTo(other.key);
    }
  }

  /**
   * Who holds a key now.
   *
   * @param hold null for a task of this submit
   * @param state null when the task was removed, or is one of this submit
   */
  private record Holder(UUID task, @Nullable Hold hold, @Nullable TaskState state) {}

  /**
   * The task that last got a key.
   *
   * @param now by the clock of the database
   */
  private record Found(UUID task, Hold hold, Instant now) {}

  /**
   * What became of it.
   *
   * @param isFirst no worker has got it
   */
  private record Row(UUID id, TaskState state, boolean isFirst) {}

  private final Handle handle;
  private final Statements statements;
  private final String actor;

  /** The tasks of this submit for which another one stands. */
  private final Map<UUID, UUID> standIns = new HashMap<>();

  private final Map<UUID, TaskState> existing = new HashMap<>();
  private final List<Held> conflicts = new ArrayList<>();

  /** Replaced tasks, and those that replace them. */
  private final Map<UUID, Fresh> replacedBefore = new TreeMap<>();

  private final Map<UUID, Hold> holds = new HashMap<>();
  private final Map<UUID, Fresh> replacedHere = new LinkedHashMap<>();
  private final Map<String, Integer> freed = new HashMap<>();
  private final List<Termination.Written> written = new ArrayList<>();

  UniqueTasks(Handle handle, Statements statements, String actor) {
    this.handle = handle;
    this.statements = statements;
    this.actor = actor;
  }

  /** Takes the keys, and ends the tasks that are replaced. */
  void claim(List<Fresh> tasks) {
    var byName = new TreeMap<Name, List<Fresh>>();
    for (Fresh fresh : tasks) {
      if (fresh.task().unique() != null) {
        byName.computeIfAbsent(Name.of(fresh.task()), _ -> new ArrayList<>()).add(fresh);
      }
    }
    if (byName.isEmpty()) {
      return;
    }
    Map<Name, Found> found = lock(byName.values().stream().map(List::getFirst).toList());
    Map<UUID, Row> rows = read(found.values().stream().map(Found::task).toList());
    var takers = new ArrayList<Fresh>();
    byName.forEach(
        (name, wanted) -> {
          Found before = found.get(name);
          Fresh taker = decide(name, wanted, before == null ? null : holder(before, rows));
          if (taker != null) {
            takers.add(taker);
          }
        });
    if (!conflicts.isEmpty()) {
      return;
    }
    take(takers);
    replacedBefore.forEach((task, by) -> replace(task, by, holds.get(task)));
  }

  private static @Nullable Holder holder(Found before, Map<UUID, Row> rows) {
    Row row = rows.get(before.task());
    TaskState state = row == null ? null : row.state();
    boolean isFirst = row != null && row.isFirst();
    return before.hold().lasts(state, isFirst, before.now())
        ? new Holder(before.task(), before.hold(), state)
        : null;
  }

  /** The task that holds the key in the end, if it is one of these. */
  private @Nullable Fresh decide(Name name, List<Fresh> wanted, @Nullable Holder before) {
    Holder holder = before;
    Fresh taker = null;
    for (Fresh fresh : wanted) {
      var unique = Objects.requireNonNull(fresh.task().unique());
      if (holder == null) {
        taker = fresh;
        holder = new Holder(fresh.id(), null, null);
        continue;
      }
      switch (unique.onConflict()) {
        case REJECT -> conflicts.add(held(name, holder));
        case EXISTING -> answerWith(name, fresh, holder);
        case REPLACE -> {
          if (holder.hold() == null) {
            replacedHere.put(holder.task(), fresh);
          } else {
            replacedBefore.put(holder.task(), fresh);
            holds.put(holder.task(), holder.hold());
          }
          taker = fresh;
          holder = new Holder(fresh.id(), null, null);
        }
      }
    }
    return taker;
  }

  private static Held held(Name name, Holder holder) {
    return new Held(name.key(), holder.hold() == null ? null : holder.task(), holder.state());
  }

  /** A task that was removed cannot be shown any more. */
  private void answerWith(Name name, Fresh fresh, Holder holder) {
    if (holder.hold() != null) {
      if (holder.state() == null) {
        conflicts.add(held(name, holder));
        return;
      }
      existing.put(holder.task(), holder.state());
    }
    standIns.put(fresh.id(), holder.task());
  }

  /** Once all tasks of the submit are stored: a later one of them may replace an earlier one. */
  void finish() {
    replacedHere.forEach((task, by) -> replace(task, by, new Hold(Unique.Scope.UNFINISHED, null)));
  }

  /**
   * An idle task ends at once, and an attempt is asked to end. A task that a worker got meanwhile
   * does not hold a key for its time in the queue any more, and continues.
   */
  private void replace(UUID task, Fresh by, @Nullable Hold hold) {
    var id = new TaskId(task);
    LockedTask locked = statements.steer().lockTask(id).orElse(null);
    if (locked == null || (isOnlyQueued(hold) && hasStarted(locked))) {
      return;
    }
    var abort = new Abort(AbortReason.CANCELLED, actor, "replaced by " + by.id());
    written.add(Termination.terminate(statements, id, locked, abort));
    if (locked.state() == TaskState.SCHEDULED || locked.state() == TaskState.PENDING) {
      freed.merge(by.task().tenant(), 1, Integer::sum);
    }
  }

  private static boolean isOnlyQueued(@Nullable Hold hold) {
    return hold != null && hold.scope() == Unique.Scope.QUEUED;
  }

  private static boolean hasStarted(LockedTask task) {
    return task.dispatch() != null || task.state().isActive();
  }

  List<Held> conflicts() {
    return conflicts;
  }

  /** Whether the task is stored, rather than answered with another one. */
  boolean isStored(UUID id) {
    return !standIns.containsKey(id);
  }

  /** The task that the caller gets for this one. */
  UUID answerFor(UUID id) {
    UUID standIn = standIns.get(id);
    return standIn == null ? id : standIn;
  }

  Map<UUID, TaskState> existing() {
    return existing;
  }

  /** How many of the replaced tasks waited for a worker or a time, by tenant. */
  Map<String, Integer> freed() {
    return freed;
  }

  /** What replacing wrote; its effects and hints are due after the commit. */
  List<Termination.Written> written() {
    return written;
  }

  /** The holders of keys that were given away before. */
  private Map<Name, Found> lock(List<Fresh> firsts) {
    var query = handle.createQuery(Sql.named("intake/claim_unique"));
    bind(query, firsts);
    var found = new HashMap<Name, Found>();
    query
        .map(
            (row, context) ->
                Map.entry(
                    new Name(row.getString("tenant"), row.getString("key")),
                    new Found(
                        row.getObject("task_id", UUID.class),
                        hold(row),
                        row.getObject("now", OffsetDateTime.class).toInstant())))
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    var own = firsts.stream().map(Fresh::id).collect(Collectors.toSet());
    found.values().removeIf(holder -> own.contains(holder.task()));
    return found;
  }

  private Map<UUID, Row> read(List<UUID> tasks) {
    if (tasks.isEmpty()) {
      return Map.of();
    }
    var query = handle.createQuery(Sql.named("intake/read_holders"));
    Unnest.bind(query, "tasks", UUID.class, tasks, id -> id);
    var rows = new HashMap<UUID, Row>();
    query
        .map(
            (row, context) ->
                new Row(
                    row.getObject("id", UUID.class),
                    TaskState.valueOf(row.getString("state")),
                    row.getBoolean("is_first")))
        .forEach(row -> rows.put(row.id(), row));
    return rows;
  }

  private static Hold hold(ResultSet row) throws SQLException {
    var until = row.getObject("until_at", OffsetDateTime.class);
    return new Hold(
        Unique.Scope.valueOf(row.getString("scope").toUpperCase(Locale.ROOT)),
        until == null ? null : until.toInstant());
  }

  private void take(List<Fresh> takers) {
    if (!takers.isEmpty()) {
      var update = handle.createUpdate(Sql.named("intake/take_unique"));
      bind(update, takers);
      update.execute();
    }
  }

  private static <S extends SqlStatement<S>> void bind(S statement, List<Fresh> rows) {
    Unnest.bind(statement, "tenants", String.class, rows, row -> row.task().tenant());
    Unnest.bind(statement, "keys", String.class, rows, row -> unique(row).key());
    Unnest.bind(statement, "tasks", UUID.class, rows, Fresh::id);
    Unnest.bind(statement, "scopes", String.class, rows, row -> unique(row).scope().word());
    Unnest.bind(
        statement,
        "times_ms",
        Long.class,
        rows,
        row -> {
          var time = unique(row).time();
          return time == null ? null : Long.valueOf(time.toMillis());
        });
  }

  private static Unique unique(Fresh row) {
    return Objects.requireNonNull(row.task().unique());
  }
}
