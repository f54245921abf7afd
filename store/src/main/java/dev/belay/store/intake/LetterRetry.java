package dev.belay.store.intake;

import dev.belay.domain.id.Ids;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Submits dead letters again. One transaction stores the task and links the dead letter to it, so
 * of any number of retries exactly one makes a task.
 */
public final class LetterRetry {

  private final Jdbi jdbi;
  private final Ids ids;
  private final TaskIntake tasks;

  public LetterRetry(Jdbi jdbi, Ids ids, TaskIntake tasks) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.tasks = tasks;
  }

  /** The answer to a retry. */
  public sealed interface Answer {

    /** The request of the dead letter is a task again. */
    record Submitted(UUID task) implements Answer {}

    /** Its task belongs to a run, so it can only run again there. Nothing changed. */
    record InRun(UUID task, UUID run) implements Answer {}

    /** Somebody retried it before. */
    record Already(UUID task, Instant at, String by) implements Answer {}

    record NotFound() implements Answer {}
  }

  /** A dead letter under its row lock. */
  private record Locked(
      UUID task,
      @Nullable UUID run,
      Answer.@Nullable Already retried,
      @Nullable NewTask request) {}

  public Answer retry(UUID letter, String actor) {
    UUID id = ids.next();
    Answer answer = jdbi.inTransaction(handle -> retry(handle, letter, id, actor));
    if (answer instanceof Answer.Submitted) {
      tasks.hintReady();
    }
    return answer;
  }

  private static Answer retry(Handle handle, UUID letter, UUID id, String actor) {
    Optional<Locked> locked =
        handle
            .createQuery(Sql.named("deadletter/lock_letter"))
            .bind("id", letter)
            .map((row, context) -> locked(row))
            .findOne();
    if (locked.isEmpty()) {
      return new Answer.NotFound();
    }
    Locked found = locked.get();
    if (found.retried() != null) {
      return found.retried();
    }
    if (found.run() != null) {
      return new Answer.InRun(found.task(), found.run());
    }
    TaskIntake.insert(handle, id, Objects.requireNonNull(found.request()), actor);
    handle
        .createUpdate(Sql.named("deadletter/mark_retried"))
        .bind("id", letter)
        .bind("task", id)
        .bind("actor", actor)
        .execute();
    return new Answer.Submitted(id);
  }

  private static Locked locked(ResultSet row) throws SQLException {
    UUID as = row.getObject("retried_as", UUID.class);
    UUID run = row.getObject("run_id", UUID.class);
    return new Locked(
        row.getObject("task_id", UUID.class),
        run,
        as == null
            ? null
            : new Answer.Already(
                as,
                row.getObject("retried_at", OffsetDateTime.class).toInstant(),
                row.getString("retried_by")),
        run == null ? request(row) : null);
  }

  /** As it was accepted. A time that it waited for has come. */
  private static NewTask request(ResultSet row) throws SQLException {
    long deadline = row.getLong("deadline_ms");
    boolean limited = !row.wasNull();
    return new NewTask(
        row.getString("tenant"),
        row.getString("name"),
        row.getInt("priority"),
        row.getString("pool"),
        row.getString("work"),
        row.getString("labels"),
        row.getBoolean("strict"),
        limited ? Duration.ofMillis(deadline) : null);
  }
}
