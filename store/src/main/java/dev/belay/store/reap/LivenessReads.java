package dev.belay.store.reap;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Attempt;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Link;
import dev.belay.domain.reap.WorkerSign.Watched;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ReapReads.ActiveTask;
import dev.belay.engine.port.ReapReads.SeenWorker;
import dev.belay.engine.port.ReapReads.Survey;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Reads the signs of life of workers and their attempts. */
record LivenessReads(ReapSettings settings) {

  Survey survey(Handle handle) {
    List<SeenWorker> workers = new ArrayList<>();
    List<Moment> moments =
        handle
            .createQuery(Sql.named("reap/read_signs"))
            .bind("gap_seconds", PostgresReap.seconds(settings.grace().databaseGap()))
            .bind("overdue_seconds", PostgresReap.seconds(settings.liveness().dispatchLost()))
            .map(
                (row, context) -> {
                  UUID id = row.getObject("id", UUID.class);
                  if (id != null) {
                    workers.add(
                        new SeenWorker(
                            new WorkerId(id),
                            witness(row),
                            sign(row),
                            row.getInt("active"),
                            row.getInt("dispatched"),
                            row.getBoolean("overdue")));
                  }
                  return new Moment(row.getTimestamp("now").toInstant(), duration(row, "steady"));
                })
            .list();
    List<WorkerId> missing =
        handle
            .createQuery(Sql.named("reap/read_missing"))
            .map((row, context) -> new WorkerId(row.getObject("worker_id", UUID.class)))
            .list();
    Moment moment = moments.getFirst();
    return new Survey(moment.now(), moment.steady(), workers, missing);
  }

  private record Moment(Instant now, Duration steady) {}

  static Witness witness(ResultSet row) throws SQLException {
    return new Witness(
        new SessionId(row.getObject("session_id", UUID.class)),
        row.getLong("connection"),
        row.getLong("heartbeat_number"),
        row.getString("state"));
  }

  private static WorkerSign sign(ResultSet row) throws SQLException {
    Link link =
        row.getBoolean("closed_by_peer")
            ? new Link.Closed(duration(row, "since_closed"))
            : row.getString("state").equals("DISCONNECTED") ? new Link.Left() : new Link.Open();
    return new WorkerSign(
        link,
        duration(row, "since_seen"),
        duration(row, "since_connected"),
        duration(row, "silence"),
        duration(row, "listened"),
        Watched.NEVER);
  }

  List<ActiveTask> readActive(
      Handle handle, Collection<WorkerId> workers, UUID after, int max, Survey survey) {
    Map<WorkerId, WorkerSign> signs = new HashMap<>();
    survey.workers().forEach(worker -> signs.put(worker.id(), worker.sign()));
    return handle
        .createQuery(Sql.named("reap/read_active"))
        .bindArray("workers", UUID.class, workers.stream().map(WorkerId::value).toList())
        .bind("after", after)
        .bind("max", max)
        .map(
            (row, context) -> {
              var worker = new WorkerId(row.getObject("worker_id", UUID.class));
              return new ActiveTask(
                  new TaskId(row.getObject("id", UUID.class)),
                  new DispatchId(row.getObject("dispatch_id", UUID.class)),
                  worker,
                  new SessionId(row.getObject("session_id", UUID.class)),
                  new Attempt(
                      TaskState.valueOf(row.getString("state")),
                      duration(row, "age"),
                      duration(row, "listened"),
                      row.getBoolean("preparing"),
                      row.getBoolean("of_current_session"),
                      Optional.ofNullable(signs.get(worker))));
            })
        .list();
  }

  static Duration duration(ResultSet row, String column) throws SQLException {
    return Duration.ofNanos(Math.round(row.getDouble(column) * 1e9));
  }
}
