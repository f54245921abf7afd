package dev.belay.store.deadletter;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.statement.DeadLetterStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The engine's statements of resources/sql/deadletter. */
public record DeadLetterSql(Handle handle) implements DeadLetterStatements {

  @Override
  public List<DeadLettered> insert(List<NewLetter> letters) {
    var query = handle.createQuery(Sql.named("deadletter/insert_letters"));
    Unnest.bind(query, "ids", UUID.class, letters, one -> one.id().value());
    Unnest.bind(query, "tasks", UUID.class, letters, one -> one.task().value());
    Unnest.bind(query, "reasons", String.class, letters, one -> one.reason().word());
    Unnest.bind(query, "details", String.class, letters, NewLetter::detail);
    Unnest.bind(query, "causes", String.class, letters, one -> one.fingerprint().text());
    Unnest.bind(query, "fingerprints", String.class, letters, one -> one.fingerprint().hash());
    return query
        .map(
            (row, context) ->
                new DeadLettered(
                    new TaskId(row.getObject("task_id", UUID.class)),
                    DeadLetterReason.of(row.getString("reason")).orElseThrow(),
                    row.getString("topic")))
        .list();
  }
}
