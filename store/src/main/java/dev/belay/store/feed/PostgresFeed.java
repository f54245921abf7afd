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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The change feed on PostgreSQL. */
public final class PostgresFeed implements ChangeFeed {

  /** Limits how many batches one read looks at; the limit of events bounds what it takes. */
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
    Cursor from = after == null ? new Cursor(0, 0) : after;
    Window window = window(from, reach.complete(), batchesMax, limit);
    Cursor end = Cursor.behind(Math.max(reach.complete(), window.trimmed()));
    if (after != null && isLost(after, window.trimmed(), reach.drawn())) {
      return new Reset(end);
    }
    List<Event> events = window.batches().stream().flatMap(Batch::events).toList();
    if (!window.batches().isEmpty()) {
      Batch last = window.batches().getLast();
      if (last.isCut()) {
        return new Events(events, events.getLast().id());
      }
      if (last.found() > window.batches().size() || last.found() == batchesMax) {
        return new Events(events, Cursor.behind(last.id()));
      }
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
    return Cursor.behind(Math.max(reach.complete(), window(new Cursor(0, 0), 0, 0, 0).trimmed()));
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

  private Window window(Cursor from, long complete, int batchesMax, int limit) {
    var batches = new ArrayList<Batch>();
    List<Long> trimmed =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("feed/read_batches"))
                    .bind("from", from.batch())
                    .bind("index", from.index())
                    .bind("complete", complete)
                    .bind("batches", batchesMax)
                    .bind("limit", limit)
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
   * The events of one row of the feed that belong to the page; the arrays have the same length.
   *
   * @param passed how many events of the row come before the first of these
   * @param found how many rows the read looked at
   * @param isCut the row has more events
   * @param tasks null when it is about runs
   */
  private record Batch(
      long id,
      Instant at,
      int passed,
      int found,
      boolean isCut,
      @Nullable List<UUID> tasks,
      List<@Nullable UUID> runs,
      List<String> states,
      List<@Nullable String> workflows) {

    static Batch of(ResultSet row) throws SQLException {
      var tasks = row.getArray("tasks");
      var workflows = row.getArray("workflows");
      return new Batch(
          row.getLong("id"),
          row.getObject("at", OffsetDateTime.class).toInstant(),
          row.getInt("passed"),
          row.getInt("found"),
          row.getBoolean("cut"),
          tasks == null ? null : Arrays.asList((UUID[]) tasks.getArray()),
          Arrays.asList((UUID[]) row.getArray("runs").getArray()),
          Arrays.asList((String[]) row.getArray("states").getArray()),
          workflows == null ? List.of() : Arrays.asList((String[]) workflows.getArray()));
    }

    Stream<Event> events() {
      return IntStream.range(0, runs.size()).mapToObj(this::event);
    }

    private Event event(int index) {
      var id = new Cursor(this.id, passed + index + 1);
      UUID run = runs.get(index);
      String workflow = workflows.get(index);
      String state = states.get(index);
      return tasks == null
          ? new RunEvent(
              id, at, new RunId(Objects.requireNonNull(run)), workflow, RunState.valueOf(state))
          : new TaskEvent(
              id,
              at,
              new TaskId(tasks.get(index)),
              run == null ? null : new RunId(run),
              workflow,
              TaskState.valueOf(state));
    }
  }
}
