package dev.belay.store.intake;

import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.engine.port.Hints;
import dev.belay.engine.statement.BackfillStatements.NewBackfill;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.backfill.BackfillSql;
import dev.belay.store.intake.Keys.Claimed;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accepts backfills. The leader creates their runs. */
public final class BackfillIntake {

  private final Jdbi jdbi;
  private final Hints hints;

  public BackfillIntake(Jdbi jdbi, Hints hints) {
    this.jdbi = jdbi;
    this.hints = hints;
  }

  /**
   * The latest version of a workflow.
   *
   * @param spec as JSON
   * @param now by the clock of the database
   */
  public record Target(WorkflowId version, String spec, boolean deleted, Instant now) {}

  /** The answer to a request for a backfill. */
  public sealed interface Started {
    record Accepted(UUID id) implements Started {}

    /** The workflow is deleted. */
    record Deleted() implements Started {}

    record KeyConflict(String key) implements Started {}
  }

  public Optional<Target> find(String tenant, String workflow) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("intake/find_workflow_to_run", Set.of()))
                .bind("tenant", tenant)
                .bind("name", workflow)
                .map(
                    (row, context) ->
                        new Target(
                            new WorkflowId(row.getObject("id", UUID.class)),
                            row.getString("spec"),
                            row.getBoolean("deleted"),
                            row.getObject("now", OffsetDateTime.class).toInstant()))
                .findFirst());
  }

  public Optional<TriggerId> trigger(String tenant, String workflow, String name) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("backfill/find_trigger"))
                .bind("tenant", tenant)
                .bind("workflow", workflow)
                .bind("name", name)
                .map((row, context) -> new TriggerId(row.getObject("id", UUID.class)))
                .findFirst());
  }

  /** The runs that these instants have. */
  public Map<Instant, Existing.Found> existing(
      String tenant, String workflow, Collection<Instant> instants) {
    return jdbi.withHandle(
        handle -> new BackfillSql(handle).readExisting(tenant, workflow, instants));
  }

  /** The backfill behind a key; empty when no request claimed it. */
  public Optional<Started> earlier(IdempotencyKey key) {
    return jdbi.withHandle(handle -> Keys.find(handle, key)).map(held -> earlier(held, key));
  }

  private static Started earlier(Claimed claimed, IdempotencyKey key) {
    return switch (claimed) {
      case Claimed.Conflict _ -> new Started.KeyConflict(key.value());
      case Claimed.Held(var earlier) ->
          new Started.Accepted(earlier.getOrDefault(key, List.of()).getFirst());
    };
  }

  /** Stores the backfill, or finds the one behind its key; returns after commit. */
  public Started start(NewBackfill wanted, @Nullable IdempotencyKey key, String actor) {
    var done =
        Retry.on(
            Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE),
            () -> jdbi.inTransaction(handle -> start(handle, wanted, key, actor)));
    hints.triggersChanged();
    return done;
  }

  private static Started start(
      Handle handle, NewBackfill wanted, @Nullable IdempotencyKey key, String actor) {
    UUID id = wanted.id().value();
    if (key != null) {
      var claimed = Keys.claim(handle, List.of(new Keys.Claim(key, List.of(id))));
      if (!(claimed instanceof Claimed.Held(var before)) || before.containsKey(key)) {
        handle.rollback();
        return earlier(claimed, key);
      }
    }
    if (!new BackfillSql(handle).insert(wanted, actor)) {
      handle.rollback();
      return new Started.Deleted();
    }
    return new Started.Accepted(id);
  }
}
