package dev.belay.store.reap;

import static dev.belay.store.reap.PostgresReap.seconds;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.statement.ReapStatements;
import dev.belay.store.Sql;
import dev.belay.store.recovery.Alerts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** The writing statements of resources/sql/reap. */
public record ReapSql(Handle handle) implements ReapStatements {

  @Override
  public Map<WorkerId, Witness> lockWorkers(Collection<WorkerId> workers) {
    Map<WorkerId, Witness> locked = new HashMap<>();
    handle
        .createQuery(Sql.named("reap/lock_workers"))
        .bindArray("workers", UUID.class, values(workers))
        .map(
            (row, context) ->
                Map.entry(
                    new WorkerId(row.getObject("id", UUID.class)), LivenessReads.witness(row)))
        .forEach(entry -> locked.put(entry.getKey(), entry.getValue()));
    return locked;
  }

  @Override
  public List<Found> expireDeadlines(int max, String actor) {
    return found(query("expire_deadlines", max).bind("actor", actor));
  }

  @Override
  public List<Found> abortOverdue(int max, String actor) {
    return found(query("abort_overdue", max).bind("actor", actor));
  }

  @Override
  public List<Found> abortLongRunning(Duration limit, int max, String actor) {
    return found(
        query("abort_long_running", max)
            .bind("actor", actor)
            .bind("running_seconds", seconds(limit)));
  }

  @Override
  public List<Found> expireWaits(Duration approval, Duration deferral, int max, String actor) {
    return found(
        query("expire_waits", max)
            .bind("actor", actor)
            .bind("approval_seconds", seconds(approval))
            .bind("deferral_seconds", seconds(deferral)));
  }

  private Query query(String statement, int max) {
    return handle.createQuery(Sql.named("reap/" + statement)).bind("max", max);
  }

  private static List<Found> found(Query query) {
    return query.map((row, context) -> found(row)).list();
  }

  private static Found found(ResultSet row) throws SQLException {
    UUID dispatch = row.getObject("dispatch_id", UUID.class);
    UUID worker = row.getObject("worker_id", UUID.class);
    String endedAs = row.getString("ended_as");
    return new Found(
        new TaskId(row.getObject("id", UUID.class)),
        dispatch == null ? null : new DispatchId(dispatch),
        worker == null ? null : new WorkerId(worker),
        LivenessReads.duration(row, "since_sign"),
        endedAs == null ? null : TaskState.valueOf(endedAs));
  }

  @Override
  public Optional<Duration> noteOrphan(RunId run) {
    return handle
        .createQuery(Sql.named("reap/note_orphan"))
        .bind("run", run.value())
        .map((row, context) -> LivenessReads.duration(row, "since_sign"))
        .findOne();
  }

  @Override
  public boolean isOrphan(RunId run, Duration quiet) {
    return handle
        .createQuery(Sql.named("reap/check_orphan"))
        .bind("run", run.value())
        .bind("orphan_seconds", seconds(quiet))
        .mapTo(Boolean.class)
        .one();
  }

  @Override
  public int cancelOrphans(RunId run, String actor) {
    return handle
        .createUpdate(Sql.named("reap/cancel_orphans"))
        .bind("run", run.value())
        .bind("actor", actor)
        .execute();
  }

  @Override
  public boolean alert(String kind, String detail) {
    return Alerts.raise(handle, kind, detail);
  }

  @Override
  public int alertLost(Collection<WorkerId> workers) {
    return handle
        .createUpdate(Sql.named("recovery/alert_lost_workers"))
        .bindArray("workers", UUID.class, values(workers))
        .execute();
  }

  private static List<UUID> values(Collection<WorkerId> workers) {
    return workers.stream().map(WorkerId::value).toList();
  }
}
