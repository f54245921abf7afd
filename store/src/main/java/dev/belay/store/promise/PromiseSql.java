package dev.belay.store.promise;

import dev.belay.domain.id.RunId;
import dev.belay.engine.statement.PromiseStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The writing statements of resources/sql/promise. */
public record PromiseSql(Handle handle) implements PromiseStatements {

  /** Ends the text of each alert about late triggers, so that only one is raised at a time. */
  private static final String SUBJECT = "`belay lateness` shows more.";

  @Override
  public List<TimedOut> timeOut(int max) {
    return handle
        .createQuery(Sql.named("promise/time_out_runs"))
        .bind("max", max)
        .map(
            (row, context) ->
                new TimedOut(
                    new RunId(row.getObject("id", UUID.class)), seconds(row.getDouble("late"))))
        .list();
  }

  static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  @Override
  public Set<RunId> alertOverdue(List<Overdue> runs) {
    var query = handle.createQuery(Sql.named("promise/alert_overdue"));
    Unnest.bind(query, "ids", UUID.class, runs, run -> run.run().value());
    Unnest.bind(query, "generations", Integer.class, runs, Overdue::generation);
    Unnest.bind(query, "details", String.class, runs, run -> Alerts.shown(run.detail()));
    return new HashSet<>(
        query.map((row, context) -> new RunId(row.getObject("id", UUID.class))).list());
  }

  @Override
  public Set<UUID> check(List<Check> checks) {
    var query = handle.createQuery(Sql.named("promise/write_checks"));
    Unnest.bind(query, "versions", UUID.class, checks, Check::version);
    Unnest.bind(query, "ats", String.class, checks, check -> text(check.at()));
    Unnest.bind(query, "untils", String.class, checks, check -> text(check.until()));
    Unnest.bind(query, "nexts", String.class, checks, check -> text(check.next()));
    Unnest.bind(query, "reasons", String.class, checks, Check::reason);
    Unnest.bind(query, "alerts", String.class, checks, PromiseSql::alert);
    return new HashSet<>(query.mapTo(UUID.class).list());
  }

  private static @Nullable String alert(Check check) {
    String alert = check.alert();
    return alert == null ? null : Alerts.shown(alert);
  }

  /** An array of times is bound as text; the statement casts it. */
  static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC).toString();
  }

  @Override
  public boolean alertLate(String detail) {
    return Alerts.raiseAbout(handle, Alert.SCHEDULE_LATE, detail, SUBJECT);
  }
}
