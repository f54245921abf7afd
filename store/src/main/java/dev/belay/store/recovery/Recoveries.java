package dev.belay.store.recovery;

import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.store.Sql;
import dev.belay.store.read.Reads;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Follows recoveries until their tasks run again or end, and lists them. */
public final class Recoveries {

  private static final UUID FIRST = new UUID(0, 0);

  private final Jdbi jdbi;
  private final Promises promises;
  private volatile UUID lookedUpTo = FIRST;

  /**
   * @param promises the current promises, shown beside the measured times
   */
  public Recoveries(Jdbi jdbi, Promises promises) {
    this.jdbi = jdbi;
    this.promises = promises;
  }

  /**
   * Closes open recoveries whose task runs again or ended. Repeated calls from one thread look at
   * each open recovery in turn, however many there are.
   *
   * @param max limit of recoveries to look at
   * @return how many it looked at
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

  /** All kinds in their order, including those without recoveries. */
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
   * Single recoveries, newest first.
   *
   * @param cursor only recoveries older than this one; null starts at the newest
   */
  public Listed<Recovery> list(@Nullable Long cursor, int limit) {
    return Listed.newest(
        jdbi,
        "recovery/list_recoveries",
        cursor,
        limit,
        (row, context) -> RecoveryRows.recovery(row),
        Recovery::id);
  }

  /** Deletes up to {@code max} recoveries older than the retention; returns the count. */
  public static int forget(Handle handle, Duration retention, int max) {
    return handle
        .createUpdate(Sql.named("recovery/delete_recoveries"))
        .bind("retention_seconds", retention.toSeconds())
        .bind("limit", max)
        .execute();
  }
}
