package dev.belay.store.deadletter;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.routing.Refusal;
import dev.belay.domain.wait.Unserved;
import dev.belay.engine.statement.UnservedStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The engine's statements about task queues that nothing can serve. */
public record UnservedSql(Handle handle) implements UnservedStatements {

  @Override
  public List<Noted> read(int max) {
    return handle
        .createQuery(Sql.named("deadletter/read_unserved"))
        .bind("max", max)
        .map((row, context) -> noted(row))
        .list();
  }

  @Override
  public List<Noted> note(List<Note> queues) {
    if (queues.isEmpty()) {
      return List.of();
    }
    var query = handle.createQuery(Sql.named("deadletter/note_unserved"));
    Unnest.bind(query, "queues", Long.class, queues, one -> one.queue().value());
    Unnest.bind(query, "reasons", String.class, queues, one -> one.why().reason().name());
    Unnest.bind(query, "details", String.class, queues, one -> one.why().detail());
    return query.map((row, context) -> noted(row)).list();
  }

  private static Noted noted(ResultSet row) throws SQLException {
    return new Noted(
        new QueueId(row.getLong("queue_id")),
        new Unserved(Refusal.valueOf(row.getString("reason")), row.getString("detail")),
        row.getObject("since", OffsetDateTime.class).toInstant(),
        Duration.ofMillis((long) (row.getDouble("age_seconds") * 1_000)));
  }

  @Override
  public void forget(Collection<QueueId> queues) {
    if (!queues.isEmpty()) {
      var update = handle.createUpdate(Sql.named("deadletter/forget_unserved"));
      Unnest.bind(update, "queues", Long.class, List.copyOf(queues), QueueId::value).execute();
    }
  }

  @Override
  public List<QueueId> forgetIdle(Collection<QueueId> queues) {
    if (queues.isEmpty()) {
      return List.of();
    }
    var query = handle.createQuery(Sql.named("deadletter/forget_idle_unserved"));
    return Unnest.bind(query, "queues", Long.class, List.copyOf(queues), QueueId::value)
        .map((row, context) -> new QueueId(row.getLong("queue_id")))
        .list();
  }
}
