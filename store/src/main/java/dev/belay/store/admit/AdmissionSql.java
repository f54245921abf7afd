package dev.belay.store.admit;

import dev.belay.domain.id.TaskId;
import dev.belay.engine.statement.AdmissionStatements;
import dev.belay.store.Sql;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The statements of resources/sql/admit. */
public record AdmissionSql(Handle handle) implements AdmissionStatements {

  @Override
  public List<TaskId> lockDue(int max) {
    return handle
        .createQuery(Sql.named("admit/lock_due"))
        .bind("max", max)
        .map((row, context) -> new TaskId(row.getObject("id", UUID.class)))
        .list();
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
