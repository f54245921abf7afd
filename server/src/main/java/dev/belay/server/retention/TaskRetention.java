package dev.belay.server.retention;

import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
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
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes tasks and runs that ended long ago; only the leader does. A pass goes once over all rows
 * that are old enough to be due, first runs, then tasks, in the order of their ids. Each step is
 * one small batch, and the pause after it is a multiple of its duration, so that the passes take a
 * small share of the database's time. A crash loses only the position. One loop steps it.
 */
public final class TaskRetention {

  private static final Logger log = LoggerFactory.getLogger(TaskRetention.class);

  /** How soon a new leader begins. */
  private static final Duration FOLLOWER_LOOK = Duration.ofSeconds(5);

  private static final Duration FAILED_PAUSE = Duration.ofSeconds(1);

  /** A person looks only at trouble that lasts. */
  private static final int FAILURES_BEFORE_ALERT = 3;

  private static final int DOUBLINGS_MAX = 20;

  private final FinishedRows rows;
  private final Jdbi jdbi;
  private final RetentionSettings settings;
  private final Optional<ArchiveFolder> archive;
  private final Supplier<Optional<Epoch>> leads;
  private final LongSupplier ticker;
  private final BelayMetrics metrics;
  private final FailureLog failureLog = new FailureLog(log, "finished tasks not removed");
  private @Nullable Pass pass;
  private int failures;

  /** When the last pass ended, or this replica began to lead; null while it does not. */
  private volatile @Nullable Long passedAt;

  /**
   * @param leads the epoch of this replica, while it leads
   * @param ticker monotonic nanoseconds
   */
  public TaskRetention(
      Jdbi jdbi,
      RetentionSettings settings,
      Optional<ArchiveFolder> archive,
      Supplier<Optional<Epoch>> leads,
      LongSupplier ticker,
      BelayMetrics metrics) {
    this.rows = new FinishedRows(jdbi);
    this.jdbi = jdbi;
    this.settings = settings;
    this.archive = archive;
    this.leads = leads;
    this.ticker = ticker;
    this.metrics = metrics;
  }

  /** The position of a pass. */
  private static final class Pass {
    final Epoch epoch;
    final Instant before;
    Kind kind = Kind.RUN;
    UUID after = FinishedRows.FIRST;

    /** Runs that were removed, and whose tasks come next. */
    List<UUID> removedRuns = List.of();

    Pass(Epoch epoch, Instant before) {
      this.epoch = epoch;
      this.before = before;
    }
  }

  /** Seconds since the last complete pass of this leader; zero while it has nothing to do. */
  public double passAge() {
    Long since = passedAt;
    return since == null ? 0 : (ticker.getAsLong() - since) / 1e9;
  }

  /** Removes one batch; returns how long to wait for the next step. */
  public Duration runOnce() {
    Optional<Epoch> epoch = settings.age().isZero() ? Optional.empty() : leads.get();
    if (epoch.isEmpty()) {
      pass = null;
      passedAt = null;
      failures = 0;
      return FOLLOWER_LOOK;
    }
    long began = ticker.getAsLong();
    if (passedAt == null) {
      passedAt = began;
    }
    try {
      boolean more = step(passOf(epoch.get()));
      failures = 0;
      failureLog.over();
      var took = Duration.ofNanos(ticker.getAsLong() - began);
      metrics.retentionStep(took);
      return more ? pauseAfter(took) : passed();
    } catch (Deposed deposed) {
      pass = null;
      return FOLLOWER_LOOK;
    } catch (RuntimeException | IOException failed) {
      return failed(failed);
    }
  }

  private Pass passOf(Epoch epoch) {
    Pass now = pass;
    if (now == null || !now.epoch.equals(epoch)) {
      now = new Pass(epoch, rows.now().minus(settings.age()));
      pass = now;
    }
    return now;
  }

  private Duration passed() {
    pass = null;
    passedAt = ticker.getAsLong();
    return settings.interval();
  }

  /** Batches and pauses together keep to the share. */
  private Duration pauseAfter(Duration took) {
    return Duration.ofNanos((long) (took.toNanos() * (1 / settings.share() - 1)));
  }

  /** Returns whether the pass goes on. */
  private boolean step(Pass now) throws IOException {
    if (!now.removedRuns.isEmpty()) {
      List<Row> tasks = rows.tasksOf(now.removedRuns, now.before, settings.batch());
      List<UUID> removed = remove(now.epoch, Kind.TASK, tasks);
      if (tasks.size() < settings.batch() || removed.isEmpty()) {
        // If somebody holds some of the tasks, a later scan finds them.
        now.removedRuns = List.of();
      }
      return true;
    }
    Scan scan = rows.scan(now.kind, now.before, now.after, settings.batch());
    List<UUID> removed = remove(now.epoch, now.kind, scan.due());
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

  private List<UUID> remove(Epoch epoch, Kind kind, List<Row> due) throws IOException {
    if (due.isEmpty()) {
      return List.of();
    }
    List<Row> kept = archive.isPresent() ? write(archive.get(), epoch, kind, due) : due;
    List<UUID> removed = rows.remove(epoch, kind, kept);
    metrics.removed(kind, removed.size());
    return removed;
  }

  /** Returns the rows that the archive now has, each with the version that it has. */
  private List<Row> write(ArchiveFolder to, Epoch epoch, Kind kind, List<Row> due)
      throws IOException {
    List<Row> written = new ArrayList<>();
    to.append(
        epoch,
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

  /** Goes on from the same position, at longer and longer intervals. */
  private Duration failed(Exception failure) {
    metrics.retentionFailed();
    failureLog.met(failure);
    Duration pause = FAILED_PAUSE.multipliedBy(1L << Math.min(failures, DOUBLINGS_MAX));
    failures++;
    if (failures >= FAILURES_BEFORE_ALERT && !Retry.isAway(failure)) {
      alert(failure);
    }
    return pause.compareTo(settings.interval()) < 0 ? pause : settings.interval();
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
