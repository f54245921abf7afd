package dev.belay.store.deadletter;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.statement.DeadLetterStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The engine's statements of resources/sql/deadletter. */
public record DeadLetterSql(Handle handle) implements DeadLetterStatements {

  private static final int REASON_CHARS_MAX = 500;

  @Override
  public long lockRouting() {
    return handle.createQuery(Sql.named("deadletter/lock_routing")).mapTo(Long.class).one();
  }

  @Override
  public List<GivenUp> giveUp(List<Hopeless> queues, int max, String actor) {
    var query =
        handle.createQuery(Sql.named("deadletter/give_up")).bind("max", max).bind("actor", actor);
    Unnest.bind(query, "queues", Long.class, queues, one -> one.queue().value());
    Unnest.bind(query, "reasons", String.class, queues, DeadLetterSql::reason);
    Unnest.bind(query, "since", String.class, queues, one -> one.since().toString());
    Unnest.bind(query, "patience", Double.class, queues, one -> one.patience().toMillis() / 1000.0);
    return query.map((row, context) -> givenUp(row)).list();
  }

  private static String reason(Hopeless queue) {
    String reason = queue.reason().word() + ": " + queue.detail();
    return reason.length() <= REASON_CHARS_MAX ? reason : reason.substring(0, REASON_CHARS_MAX);
  }

  private static GivenUp givenUp(ResultSet row) throws SQLException {
    return new GivenUp(
        new TaskId(row.getObject("id", UUID.class)),
        run(row),
        new QueueId(row.getLong("queue_id")));
  }

  private static @Nullable RunId run(ResultSet row) throws SQLException {
    UUID run = row.getObject("run_id", UUID.class);
    return run == null ? null : new RunId(run);
  }

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

  @Override
  public Optional<Letter> find(DeadLetterId letter) {
    return handle
        .createQuery(Sql.named("deadletter/find_retry"))
        .bind("id", letter.value())
        .map(
            (row, context) ->
                new Letter(
                    new TaskId(row.getObject("task_id", UUID.class)),
                    row.getInt("generation"),
                    run(row),
                    retried(row)))
        .findOne();
  }

  private static @Nullable Retried retried(ResultSet row) throws SQLException {
    UUID as = row.getObject("retried_as", UUID.class);
    return as == null
        ? null
        : new Retried(
            new TaskId(as),
            row.getObject("retried_at", OffsetDateTime.class).toInstant(),
            row.getString("retried_by"));
  }

  @Override
  public boolean resubmit(
      DeadLetterId letter, TaskId as, TaskState state, String reason, String actor) {
    return handle
            .createUpdate(Sql.named("deadletter/resubmit_letter"))
            .bind("id", letter.value())
            .bind("as", as.value())
            .bind("state", state.name())
            .bind("reason", reason)
            .bind("actor", actor)
            .execute()
        > 0;
  }
}
