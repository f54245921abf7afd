package dev.belay.simulation.model;

import dev.belay.domain.id.TriggerId;
import dev.belay.engine.statement.PauseStatements;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pauses of triggers, by rows. */
record MemoryPauseStatements(Tables tables, Session session) implements PauseStatements {

  @Override
  public Optional<TriggerControl> findTrigger(TriggerName trigger) {
    return session.statement(
        statement ->
            live(statement, trigger)
                .map(row -> new TriggerControl(row.trigger, row.pausedAt, null)));
  }

  @Override
  public boolean pauseTrigger(TriggerName trigger, String actor) {
    return session.statement(
        statement ->
            live(statement, trigger)
                .flatMap(
                    found ->
                        statement.update(
                            tables.triggerVersion,
                            found.id,
                            row -> row.isLive() && row.pausedAt == null,
                            row -> row.pausedAt = statement.now()))
                .isPresent());
  }

  @Override
  public boolean resumeTrigger(TriggerName trigger) {
    return session.statement(
        statement ->
            live(statement, trigger).stream()
                    .flatMap(
                        live ->
                            statement
                                .rows(
                                    tables.triggerVersion, row -> row.trigger.equals(live.trigger))
                                .stream())
                    .flatMap(
                        found ->
                            statement
                                .update(
                                    tables.triggerVersion,
                                    found.id,
                                    row -> row.pausedAt != null,
                                    row -> resume(statement, row))
                                .stream())
                    .count()
                > 0);
  }

  private void resume(ModelStatement statement, TriggerVersionRow row) {
    Instant pausedAt = row.pausedAt;
    if (!row.isLive()) {
      row.replayFrom = null;
    } else if (pausedAt != null && row.isTimed()) {
      row.replayFrom = replayFrom(statement, row, pausedAt);
      row.dueAt = earliest(statement.now(), row.dueAt);
    }
    row.pausedAt = null;
  }

  @Override
  public void replayTriggers(String tenant, String workflow, Instant pausedAt) {
    var name = new WorkflowName(tenant, workflow);
    session.<Integer>statement(
        statement -> {
          var triggers = statement.rows(tables.trigger, row -> row.workflow().equals(name));
          for (TriggerRow trigger : triggers) {
            live(statement, trigger.id())
                .ifPresent(
                    found ->
                        statement.update(
                            tables.triggerVersion,
                            found.id,
                            row -> row.isLive() && row.isTimed(),
                            row -> {
                              row.replayFrom = replayFrom(statement, row, pausedAt);
                              if (row.pausedAt == null) {
                                row.dueAt = earliest(statement.now(), row.dueAt);
                              }
                            }));
          }
          return triggers.size();
        });
  }

  /** The last instant that was decided before the pause, or else the first one. */
  private Instant replayFrom(ModelStatement statement, TriggerVersionRow row, Instant pausedAt) {
    var fires = statement.rows(tables.fire, fire -> fire.key.trigger().equals(row.trigger));
    Instant bound =
        fires.stream()
            .filter(fire -> fire.key.at().isBefore(pausedAt) && fire.decidedAt.isBefore(pausedAt))
            .filter(fire -> !fire.isPaused())
            .map(fire -> fire.key.at())
            .max(Instant::compareTo)
            .or(() -> fires.stream().map(fire -> fire.key.at()).min(Instant::compareTo))
            .orElse(pausedAt);
    return earliest(earliest(pausedAt, bound), row.replayFrom);
  }

  private static Instant earliest(Instant one, @Nullable Instant other) {
    return other != null && other.isBefore(one) ? other : one;
  }

  private Optional<TriggerVersionRow> live(ModelStatement statement, TriggerName name) {
    var workflow = new WorkflowName(name.tenant(), name.workflow());
    return statement
        .rows(
            tables.trigger,
            row -> row.workflow().equals(workflow) && row.name().equals(name.name()))
        .stream()
        .findFirst()
        .flatMap(trigger -> live(statement, trigger.id()))
        .filter(version -> !version.kind.equals("expect_by"));
  }

  private Optional<TriggerVersionRow> live(ModelStatement statement, TriggerId trigger) {
    return statement
        .rows(tables.triggerVersion, row -> row.trigger.equals(trigger) && row.isLive())
        .stream()
        .findFirst();
  }
}
