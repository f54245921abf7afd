package dev.belay.server.retention;

import dev.belay.engine.lease.PeriodicJob;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseToken;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.store.Retry;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import dev.belay.store.retention.FinishedRows;
import dev.belay.store.retention.FinishedRows.Kind;
import dev.belay.store.retention.FinishedRows.Line;
import dev.belay.store.retention.FinishedRows.Row;
import dev.belay.store.retention.FinishedRows.Scan;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes tasks and runs that ended long ago: a periodic job. A pass goes once over all rows that
 * are old enough to be due, first runs, then tasks, in the order of their ids. Each step is one
 * small batch, and the pause after it is a multiple of its duration, so that the passes take a
 * small share of the database's time. A crash loses only the position. One loop steps it.
 */
public final class TaskRetention implements PeriodicJob.Work {

  private static final Logger log = LoggerFactory.getLogger(TaskRetention.class);

  private static final Duration FAILED_PAUSE = Duration.ofSeconds(1);

  /** A person looks only at trouble that lasts. */
  private static final int FAILURES_MAX = 3;

  private final FinishedRows rows;
  private final Jdbi jdbi;
  private final RetentionSettings settings;
  private final Optional<ArchiveFolder> archive;
  private final LongSupplier ticker;
  private final BelayMetrics metrics;
  private final FailureLog failureLog = new FailureLog(log, "finished tasks not removed");
  private @Nullable Pass pass;
  private int failures;

  /**
   * @param ticker monotonic nanoseconds
   */
  public TaskRetention(
      Jdbi jdbi,
      RetentionSettings settings,
      Optional<ArchiveFolder> archive,
      LongSupplier ticker,
      BelayMetrics metrics) {
    this.rows = new FinishedRows(jdbi);
    this.jdbi = jdbi;
    this.settings = settings;
    this.archive = archive;
    this.ticker = ticker;
    this.metrics = metrics;
  }

  /** The position of a pass. */
  private static final class Pass {
    final LeaseToken token;
    final Instant before;
    Kind kind = Kind.RUN;
    UUID after = FinishedRows.FIRST;

    /** Runs that were removed, and whose tasks come next. */
    List<UUID> removedRuns = List.of();

    Pass(LeaseToken token, Instant before) {
      this.token = token;
      this.before = before;
    }
  }

  @Override
  public Optional<Duration> step(LeaseToken token) {
    if (settings.age().isZero()) {
      return Optional.empty();
    }
    long began = ticker.getAsLong();
    try {
      boolean more = step(passOf(token));
      failures = 0;
      failureLog.over();
      var took = Duration.ofNanos(ticker.getAsLong() - began);
      metrics.retentionStep(took);
      return more ? Optional.of(pauseAfter(took)) : Optional.empty();
    } catch (LeaseLost lost) {
      throw lost;
    } catch (RuntimeException | IOException failed) {
      return Optional.of(failed(failed));
    }
  }

  private Pass passOf(LeaseToken token) {
    Pass now = pass;
    if (now == null || !now.token.equals(token)) {
      now = new Pass(token, rows.now().minus(settings.age()));
      pass = now;
    }
    return now;
  }

  /** Batches and pauses together keep to the share. */
  private Duration pauseAfter(Duration took) {
    return Duration.ofNanos((long) (took.toNanos() * (1 / settings.share() - 1)));
  }

  /** Returns whether the pass goes on. */
  private boolean step(Pass now) throws IOException {
    if (!now.removedRuns.isEmpty()) {
      List<Row> tasks = rows.tasksOf(now.removedRuns, now.before, settings.batch());
      List<UUID> removed = remove(now.token, Kind.TASK, tasks);
      if (tasks.size() < settings.batch() || removed.isEmpty()) {
        // If somebody holds some of the tasks, a later scan finds them.
        now.removedRuns = List.of();
      }
      return true;
    }
    Scan scan = rows.scan(now.kind, now.before, now.after, settings.batch());
    List<UUID> removed = remove(now.token, now.kind, scan.due());
    if (now.kind == Kind.RUN) {
      now.removedRuns = removed;
    }
    if (scan.next().isPresent()) {
      now.after = scan.next().get();
      return true;
    }
    return switch (now.kind) {
      case RUN -> {
        now.kind = Kind.TASK;
        now.after = FinishedRows.FIRST;
        yield true;
      }
      case TASK -> false;
    };
  }

  private List<UUID> remove(LeaseToken token, Kind kind, List<Row> due) throws IOException {
    if (due.isEmpty()) {
      return List.of();
    }
    List<Row> kept = archive.isPresent() ? write(archive.get(), token, kind, due) : due;
    List<UUID> removed = rows.remove(token, kind, kept);
    metrics.removed(kind, removed.size());
    return removed;
  }

  /** Returns the rows that the archive now has, each with the version that it has. */
  private List<Row> write(ArchiveFolder to, LeaseToken token, Kind kind, List<Row> due)
      throws IOException {
    List<Row> written = new ArrayList<>();
    to.append(
        token,
        lines ->
            rows.lines(
                kind,
                due.stream().map(Row::id).toList(),
                line -> {
                  write(lines, line);
                  return written.add(line.row());
                }));
    return written;
  }

  private static void write(OutputStream lines, Line line) {
    try {
      lines.write((line.json() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * Goes on from the same position, at longer and longer intervals. When that does not help, it
   * ends the run: the trouble may be this replica's, and another one may do better.
   */
  private Duration failed(Exception failure) {
    metrics.retentionFailed();
    failureLog.met(failure);
    Duration pause = FAILED_PAUSE.multipliedBy(1L << failures);
    failures++;
    if (failures < FAILURES_MAX) {
      return pause;
    }
    failures = 0;
    if (!Retry.isAway(failure)) {
      alert(failure);
    }
    throw new IllegalStateException("finished tasks are not removed", failure);
  }

  private void alert(Exception failure) {
    String detail =
        "finished tasks are not removed, and the database grows: %s. Belay tries again"
            .formatted(failure);
    try {
      if (jdbi.inTransaction(handle -> Alerts.raise(handle, Alert.RETENTION_FAILED, detail))) {
        metrics.alerted(Alert.RETENTION_FAILED, 1);
      }
    } catch (RuntimeException unraised) {
      log.atWarn().addKeyValue("why", unraised.toString()).log("alert not raised");
    }
  }
}
