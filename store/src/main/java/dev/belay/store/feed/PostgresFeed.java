package dev.belay.store.feed;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ChangeFeed;
import dev.belay.store.Sql;
import dev.belay.store.feed.CompleteBound.Reach;
import dev.belay.store.lease.JobTransaction;
import dev.belay.store.read.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The change feed on PostgreSQL. */
public final class PostgresFeed implements ChangeFeed {

  /** Limits what one read takes from the database; a batch may have thousands of events. */
  private static final int BATCHES_MAX = 32;

  private final Jdbi jdbi;
  private final CompleteBound bound;

  public PostgresFeed(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.bound = new CompleteBound(jdbi);
  }

  @Override
  public Answer read(@Nullable Cursor after, int limit) {
    Reach reach = bound.advance();
    // One more than the limit: the events of the first may all be read.
    int batchesMax = Math.min(limit + 1, BATCHES_MAX);
    Window window = window(after == null ? 0 : after.batch(), reach.complete(), batchesMax);
    Cursor end = Cursor.behind(Math.max(reach.complete(), window.trimmed()));
    if (after != null && isLost(after, window.trimmed(), reach.drawn())) {
      return new Reset(end);
    }
    var events = new ArrayList<Event>();
    for (Batch batch : window.batches()) {
      for (int index = 1; index <= batch.runs().size(); index++) {
        Event event = batch.event(index);
        if (after != null && event.id().compareTo(after) <= 0) {
          continue;
        }
        if (events.size() == limit) {
          return new Events(events, events.getLast().id());
        }
        events.add(event);
      }
    }
    if (window.batches().size() == batchesMax) {
      return new Events(events, Cursor.behind(window.batches().getLast().id()));
    }
    return new Events(events, after != null && after.compareTo(end) > 0 ? after : end);
  }

  /** Also when no id follows the last one that was drawn: then the database has been restored. */
  private static boolean isLost(Cursor after, long trimmed, long drawn) {
    return Math.max(1, after.batch()) <= trimmed || after.batch() > drawn + 1;
  }

  @Override
  public Cursor latest() {
    Reach reach = bound.advance();
    return Cursor.behind(Math.max(reach.complete(), window(0, 0, 0).trimmed()));
  }

  @Override
  public Duration heldBack() {
    return bound.heldBack();
  }

  /**
   * Deletes up to {@code max} batches older than the retention; returns the count.
   *
   * @param in begins after the bound has moved, which must not happen in a transaction
   */
  public int forget(JobTransaction in, Duration retention, int max) {
    Reach reach = bound.advance();
    return in.run(
        handle ->
            handle
                .createQuery(Sql.named("feed/delete_batches"))
                .bind("complete", reach.complete())
                .bind("retention_seconds", (double) retention.toSeconds())
                .bind("limit", max)
                .mapTo(Integer.class)
                .one());
  }

  /**
   * @param trimmed the highest id that retention has deleted
   */
  private record Window(long trimmed, List<Batch> batches) {}

  private Window window(long from, long complete, int max) {
    var batches = new ArrayList<Batch>();
    List<Long> trimmed =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("feed/read_batches"))
                    .bind("from", from)
                    .bind("complete", complete)
                    .bind("max", max)
                    .setQueryTimeout(Reads.TIMEOUT_SECONDS)
                    .map(
                        (row, context) -> {
                          if (row.getObject("id") != null) {
                            batches.add(Batch.of(row));
                          }
                          return row.getLong("up_to");
                        })
                    .list());
    return new Window(trimmed.getFirst(), batches);
  }

  /**
   * One row of the feed; the arrays have the same length.
   *
   * @param tasks null when it is about runs
   */
  private record Batch(
      long id,
      Instant at,
      @Nullable List<UUID> tasks,
      List<@Nullable UUID> runs,
      List<String> states,
      List<@Nullable String> workflows) {

    static Batch of(ResultSet row) throws SQLException {
      var tasks = row.getArray("tasks");
      return new Batch(
          row.getLong("id"),
          row.getObject("at", OffsetDateTime.class).toInstant(),
          tasks == null ? null : Arrays.asList((UUID[]) tasks.getArray()),
          Arrays.asList((UUID[]) row.getArray("runs").getArray()),
          Arrays.asList((String[]) row.getArray("states").getArray()),
          Arrays.asList((String[]) row.getArray("workflows").getArray()));
    }

    Event event(int index) {
      var id = new Cursor(this.id, index);
      UUID run = runs.get(index - 1);
      String workflow = workflows.get(index - 1);
      String state = states.get(index - 1);
      return tasks == null
          ? new RunEvent(
              id, at, new RunId(Objects.requireNonNull(run)), workflow, RunState.valueOf(state))
          : new TaskEvent(
              id,
              at,
              new TaskId(tasks.get(index - 1)),
              run == null ? null : new RunId(run),
              workflow,
              TaskState.valueOf(state));
    }
  }
}
