package dev.belay.store.intake;

import dev.belay.domain.id.Ids;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.transaction.PostgresStatements;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Stores versions of workflows. */
public final class WorkflowIntake {

  private final Jdbi jdbi;
  private final Ids ids;

  public WorkflowIntake(Jdbi jdbi, Ids ids) {
    this.jdbi = jdbi;
    this.ids = ids;
  }

  /** Stores a new version, unless the latest one has the same spec. */
  public Registration register(NewWorkflow workflow, String actor) {
    return Retry.on(
        Set.of(Retry.UNIQUE_VIOLATION),
        () -> jdbi.inTransaction(handle -> register(handle, workflow, actor)));
  }

  private Registration register(Handle handle, NewWorkflow workflow, String actor) {
    var id = ids.next();
    handle
        .createQuery(Sql.named("intake/lock_workflow"))
        .bind("tenant", workflow.tenant())
        .bind("name", workflow.name())
        .mapTo(String.class)
        .list();
    var version =
        handle
            .createQuery(Sql.named("intake/insert_workflow"))
            .bind("id", id)
            .bind("tenant", workflow.tenant())
            .bind("name", workflow.name())
            .bind("spec", workflow.spec())
            .bind("source", workflow.source())
            .bind("spec_hash", sha256(workflow.spec()))
            .bind("task_count", workflow.taskCount())
            .bind("actor", actor)
            .mapTo(Integer.class)
            .findFirst();
    if (version.isPresent()) {
      setMaxActive(handle, workflow);
    }
    return version
        .map(created -> new Registration(id, created, true))
        .orElseGet(() -> latest(handle, workflow));
  }

  /** A higher limit releases waiting runs. */
  private static void setMaxActive(Handle handle, NewWorkflow workflow) {
    handle
        .createUpdate(Sql.named("intake/set_max_active"))
        .bind("tenant", workflow.tenant())
        .bind("name", workflow.name())
        .bind("spec", workflow.spec())
        .execute();
    RunQueue.ofWritten(new PostgresStatements(handle), workflow.tenant(), workflow.name())
        .release();
  }

  private static Registration latest(Handle handle, NewWorkflow workflow) {
    return handle
        .createQuery(Sql.named("intake/find_latest_workflow"))
        .bind("tenant", workflow.tenant())
        .bind("name", workflow.name())
        .map(
            (row, context) ->
                new Registration(row.getObject("id", UUID.class), row.getInt("version"), false))
        .one();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
