package dev.belay.store.promise;

import static dev.belay.store.promise.PromiseSql.seconds;
import static dev.belay.store.promise.PromiseSql.text;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.port.PromiseReads;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.read.WaitReads;
import dev.belay.workflow.Durations;
import dev.belay.workflow.SpecCodec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reads of promises, on PostgreSQL. */
public final class PostgresPromises implements PromiseReads {

  private static final Logger log = LoggerFactory.getLogger(PostgresPromises.class);

  /** Limit of the open tasks that an alert names. */
  private static final int NAMED_MAX = 5;

  private final Jdbi jdbi;
  private final WaitReads waits;

  public PostgresPromises(Jdbi jdbi, WaitReads waits) {
    this.jdbi = jdbi;
    this.waits = waits;
  }

  @Override
  public Next readNext() {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("promise/read_next"))
                .map(
                    (row, context) ->
                        new Next(
                            durationOrNull(row, "next_timeout"),
                            durationOrNull(row, "next_deadline"),
                            durationOrNull(row, "next_check")))
                .one());
  }

  @Override
  public List<OverdueRun> readOverdue(int max) {
    List<OverdueRun> overdue =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("promise/read_overdue"))
                    .bind("max", max)
                    .map((row, context) -> overdue(row))
                    .list());
    return overdue.stream().map(this::explained).toList();
  }

  private static OverdueRun overdue(ResultSet row) throws SQLException {
    return new OverdueRun(
        new RunId(row.getObject("id", UUID.class)),
        row.getInt("generation"),
        workflow(row),
        RunState.valueOf(row.getString("state")),
        seconds(row.getDouble("deadline")),
        seconds(row.getDouble("late")),
        List.of());
  }

  private OverdueRun explained(OverdueRun run) {
    return new OverdueRun(
        run.id(),
        run.generation(),
        run.workflow(),
        run.state(),
        run.deadline(),
        run.late(),
        waitsFor(run));
  }

  private List<String> waitsFor(OverdueRun run) {
    UUID id = run.id().value();
    if (run.state() == RunState.QUEUED) {
      return waits.ofRun(id).map(wait -> wait.detail()).stream().toList();
    }
    List<String> lines = new ArrayList<>(active(id));
    waits.ofTasks(id).stream()
        .limit(NAMED_MAX)
        .forEach(
            task ->
                lines.add(
                    "task %s (%s): %s".formatted(task.name(), task.state(), task.why().detail())));
    return lines.subList(0, Math.min(NAMED_MAX, lines.size()));
  }

  private List<String> active(UUID run) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("promise/read_active_tasks"))
                .bind("run", run)
                .bind("limit", NAMED_MAX)
                .map(
                    (row, context) ->
                        "task %s (%s): on worker %s for %s"
                            .formatted(
                                row.getString("name"),
                                row.getString("state"),
                                row.getString("worker"),
                                Durations.format(
                                    seconds(row.getDouble("since"))
                                        .truncatedTo(ChronoUnit.SECONDS))))
                .list());
  }

  @Override
  public List<DueCheck> readChecks(Duration settle, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("promise/read_checks"))
                .bind("settle_ms", settle.toMillis())
                .bind("max", max)
                .map((row, context) -> check(row))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList());
  }

  /** Empty when its spec cannot be read: one bad row must not hold up the others. */
  private static Optional<DueCheck> check(ResultSet row) throws SQLException {
    UUID version = row.getObject("id", UUID.class);
    try {
      return Optional.of(
          new DueCheck(
              version,
              workflow(row),
              SpecCodec.expectByFromJson(row.getString("spec")),
              time(row, "next_at"),
              timeOrNull(row, "until_at"),
              row.getBoolean("paused")));
    } catch (RuntimeException unreadable) {
      log.atError()
          .addKeyValue("version", version)
          .setCause(unreadable)
          .log("expect_by cannot be read");
      return Optional.empty();
    }
  }

  @Override
  public Map<UUID, Found> readFound(List<Window> windows) {
    Map<UUID, Found> found = new HashMap<>();
    jdbi.useHandle(
        handle -> {
          var query = handle.createQuery(Sql.named("promise/read_found"));
          Unnest.bind(query, "versions", UUID.class, windows, Window::version);
          Unnest.bind(query, "tenants", String.class, windows, one -> one.workflow().tenant());
          Unnest.bind(query, "workflows", String.class, windows, one -> one.workflow().name());
          Unnest.bind(query, "afters", String.class, windows, one -> text(one.after()));
          Unnest.bind(query, "up_tos", String.class, windows, one -> text(one.upTo()));
          query
              .map(
                  (row, context) ->
                      found.put(
                          row.getObject("version", UUID.class),
                          new Found(run(row, "succeeded"), newest(row))))
              .forEach(previous -> {});
        });
    return found;
  }

  private static @Nullable RunId run(ResultSet row, String column) throws SQLException {
    UUID id = row.getObject(column, UUID.class);
    return id == null ? null : new RunId(id);
  }

  private static @Nullable NewestRun newest(ResultSet row) throws SQLException {
    RunId id = run(row, "newest");
    return id == null
        ? null
        : new NewestRun(id, RunState.valueOf(row.getString("state")), row.getString("reason"));
  }

  @Override
  public Late readLate(@Nullable Instant since, Duration promised) {
    return jdbi.withHandle(handle -> readLate(handle, since, promised));
  }

  private static Late readLate(Handle handle, @Nullable Instant since, Duration promised) {
    return handle
        .createQuery(Sql.named("promise/read_late"))
        .bind("since", since == null ? null : since.atOffset(ZoneOffset.UTC))
        .bind("promised_ms", promised.toMillis())
        .map(
            (row, context) -> {
              Instant now = time(row, "now");
              return row.getString("workflow") == null
                  ? new Late(now, 0, Optional.empty())
                  : new Late(
                      now,
                      row.getInt("found"),
                      Optional.of(
                          new LateInstant(
                              workflow(row),
                              row.getString("name"),
                              time(row, "at"),
                              seconds(row.getDouble("seconds")))));
            })
        .one();
  }

  private static WorkflowName workflow(ResultSet row) throws SQLException {
    return new WorkflowName(row.getString("tenant"), row.getString("workflow"));
  }

  private static @Nullable Duration durationOrNull(ResultSet row, String column)
      throws SQLException {
    Double found = row.getObject(column, Double.class);
    return found == null ? null : seconds(found);
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
