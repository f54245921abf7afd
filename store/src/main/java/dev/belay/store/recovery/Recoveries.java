package dev.belay.store.recovery;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.store.Arrays;
import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Recoveries are written inside the transactions of the endings that they measure, followed until
 * the task runs again or is over, and shown.
 */
public final class Recoveries {

  private static final UUID FIRST = new UUID(0, 0);

  private final Jdbi jdbi;
  private final Promises promises;
  private volatile UUID lookedUpTo = FIRST;

  /**
   * @param promises what is promised now; shown beside what was measured
   */
  public Recoveries(Jdbi jdbi, Promises promises) {
    this.jdbi = jdbi;
    this.promises = promises;
  }

  /** Inside the transaction of the ending; raises an alert for what took longer than promised. */
  public static void record(Handle handle, List<Recovered> recovered) {
    if (recovered.isEmpty()) {
      return;
    }
    var insert = handle.createUpdate(Sql.named("recovery/record_recoveries"));
    Arrays.bind(insert, "kinds", String.class, recovered, one -> one.kind().word());
    Arrays.bind(insert, "task_ids", UUID.class, recovered, Recoveries::task);
    Arrays.bind(insert, "run_ids", UUID.class, recovered, Recoveries::run);
    Arrays.bind(insert, "dispatch_ids", UUID.class, recovered, Recoveries::dispatch);
    Arrays.bind(insert, "worker_ids", UUID.class, recovered, Recoveries::worker);
    Arrays.bind(insert, "since_ms", Long.class, recovered, one -> one.sinceLastSign().toMillis());
    Arrays.bind(insert, "promised_ms", Long.class, recovered, one -> one.promised().toMillis());
    insert.execute();
  }

  /**
   * The same for losses that the words of workers tell.
   *
   * @param kinds by dispatch
   * @return what was recorded
   */
  public static List<Recovered> recordLosses(
      Handle handle, Map<UUID, RecoveryKind> kinds, Promises promises) {
    if (kinds.isEmpty()) {
      return List.of();
    }
    Map<UUID, LastSign> signs = new HashMap<>();
    handle
        .createQuery(Sql.named("recovery/read_last_signs"))
        .bindArray("dispatches", UUID.class, kinds.keySet())
        .bind("report_ms", promises.report().toMillis())
        .map(
            (row, context) ->
                new LastSign(
                    new DispatchId(row.getObject("dispatch_id", UUID.class)),
                    new TaskId(row.getObject("task_id", UUID.class)),
                    new WorkerId(row.getObject("worker_id", UUID.class)),
                    Duration.ofMillis(row.getLong("hello_ms")),
                    Duration.ofMillis(row.getLong("report_ms"))))
        .forEach(sign -> signs.put(sign.dispatch().value(), sign));
    List<Recovered> recovered = new ArrayList<>();
    kinds.forEach(
        (dispatch, kind) -> {
          LastSign sign = signs.get(dispatch);
          if (sign != null) {
            recovered.add(sign.recovered(kind, promises));
          }
        });
    record(handle, recovered);
    return recovered;
  }

  private record LastSign(
      DispatchId dispatch, TaskId task, WorkerId worker, Duration hello, Duration report) {

    Recovered recovered(RecoveryKind kind, Promises promises) {
      Duration since = kind == RecoveryKind.NOT_REPORTED ? report : hello;
      return new Recovered(kind, task, null, dispatch, worker, since, promises.of(kind));
    }
  }

  /**
   * Closes those of the open ones whose task runs again or is over. Called again and again by one
   * thread, it looks at each of them in turn, however many there are.
   *
   * @param max most that are looked at
   * @return how many were looked at
   */
  public int complete(int max) {
    List<UUID> looked =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("recovery/close_recoveries"))
                    .bind("after", lookedUpTo)
                    .bind("max", max)
                    .map((row, context) -> row.getObject("task_id", UUID.class))
                    .list());
    lookedUpTo = looked.size() < max ? FIRST : looked.getLast();
    return looked.size();
  }

  /** Every kind in its order, also one that never happened. */
  public List<KindSummary> summary(Duration window) {
    Map<String, KindSummary> measured = new HashMap<>();
    jdbi.useHandle(
        handle ->
            handle
                .createQuery(Sql.named("recovery/summarize_recoveries"))
                .bind("window_ms", window.toMillis())
                .setQueryTimeout(Reads.TIMEOUT_SECONDS)
                .map((row, context) -> RecoveryRows.summary(row, promises))
                .forEach(
                    found -> found.ifPresent(summary -> measured.put(summary.kind(), summary))));
    return Stream.of(RecoveryKind.values())
        .map(kind -> measured.getOrDefault(kind.word(), KindSummary.none(kind, promises.of(kind))))
        .toList();
  }

  /**
   * The newest single ones.
   *
   * @param cursor only what is older than this one; null begins at the newest
   */
  public Listed<Recovery> list(@Nullable Long cursor, int limit) {
    Set<String> given = cursor == null ? Set.of() : Set.of("cursor");
    List<Recovery> rows =
        jdbi.withHandle(
            handle -> {
              var query =
                  handle
                      .createQuery(Sql.named("recovery/list_recoveries", given))
                      .bind("limit", limit + 1)
                      .setQueryTimeout(Reads.TIMEOUT_SECONDS);
              if (cursor != null) {
                query.bind("cursor", cursor);
              }
              return query.map((row, context) -> RecoveryRows.recovery(row)).list();
            });
    return Listed.of(rows, limit, Recovery::id);
  }

  /** Deletes up to {@code max} that are older; says how many. */
  public int forget(Duration retention, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createUpdate(Sql.named("recovery/delete_recoveries"))
                .bind("retention_seconds", retention.toSeconds())
                .bind("limit", max)
                .execute());
  }

  private static @Nullable UUID task(Recovered one) {
    TaskId task = one.task();
    return task == null ? null : task.value();
  }

  private static @Nullable UUID run(Recovered one) {
    RunId run = one.run();
    return run == null ? null : run.value();
  }

  private static @Nullable UUID dispatch(Recovered one) {
    DispatchId dispatch = one.dispatch();
    return dispatch == null ? null : dispatch.value();
  }

  private static @Nullable UUID worker(Recovered one) {
    WorkerId worker = one.worker();
    return worker == null ? null : worker.value();
  }
}
