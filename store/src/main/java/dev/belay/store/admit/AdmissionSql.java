package dev.belay.store.admit;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.AdmissionStatements;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The statements of resources/sql/admit. */
public record AdmissionSql(Handle handle) implements AdmissionStatements {

  @Override
  public List<Due> lockDue(int max) {
    return handle
        .createQuery(Sql.named("admit/lock_due"))
        .bind("max", max)
        .map((row, context) -> due(row))
        .list();
  }

  private static Due due(ResultSet row) throws SQLException {
    UUID run = row.getObject("run_id", UUID.class);
    Long queue = row.getObject("queue_id", Long.class);
    return new Due(
        new TaskId(row.getObject("id", UUID.class)),
        TaskState.valueOf(row.getString("state")),
        run == null ? null : new RunId(run),
        queue == null ? null : new QueueId(queue));
  }

  @Override
  public List<Stuck> lockStuck(Duration pending, int max) {
    return handle
        .createQuery(Sql.named("admit/lock_stuck"))
        .bind("pending_seconds", pending.toMillis() / 1000.0)
        .bind("max", max)
        .map(
            (row, context) ->
                new Stuck(
                    new TaskId(row.getObject("id", UUID.class)),
                    Duration.ofNanos(Math.round(row.getDouble("since_movable") * 1e9))))
        .list();
  }
}
