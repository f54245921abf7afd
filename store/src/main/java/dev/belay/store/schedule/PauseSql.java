package dev.belay.store.schedule;

import dev.belay.domain.id.TriggerId;
import dev.belay.engine.statement.PauseStatements;
import dev.belay.store.Sql;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** The statements of resources/sql/schedule that pause and resume triggers. */
public record PauseSql(Handle handle) implements PauseStatements {

  @Override
  public Optional<TriggerControl> findTrigger(TriggerName trigger) {
    return of(handle.createQuery(Sql.named("schedule/find_trigger_control")), trigger)
        .map(
            (row, context) -> {
              var pausedAt = row.getObject("paused_at", OffsetDateTime.class);
              return new TriggerControl(
                  new TriggerId(row.getObject("id", UUID.class)),
                  pausedAt == null ? null : pausedAt.toInstant(),
                  row.getString("paused_by"));
            })
        .findFirst();
  }

  @Override
  public boolean pauseTrigger(TriggerName trigger, String actor) {
    return of(handle.createUpdate(Sql.named("schedule/pause_trigger")), trigger)
            .bind("actor", actor)
            .execute()
        > 0;
  }

  @Override
  public boolean resumeTrigger(TriggerName trigger) {
    return of(handle.createUpdate(Sql.named("schedule/resume_trigger")), trigger).execute() > 0;
  }

  @Override
  public void replayTriggers(String tenant, String workflow, Instant pausedAt) {
    handle
        .createUpdate(Sql.named("schedule/replay_triggers"))
        .bind("tenant", tenant)
        .bind("workflow", workflow)
        .bind("paused_at", pausedAt.atOffset(ZoneOffset.UTC))
        .execute();
  }

  private static <S extends SqlStatement<S>> S of(S statement, TriggerName trigger) {
    return statement
        .bind("tenant", trigger.tenant())
        .bind("workflow", trigger.workflow())
        .bind("name", trigger.name());
  }
}
