package dev.belay.simulation.model;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.statement.BackfillStatements;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Backfills, by rows. */
record MemoryBackfillStatements(Tables tables, Session session) implements BackfillStatements {

  @Override
  public boolean insert(NewBackfill backfill, String actor) {
    return session.statement(
        statement -> {
          var row = new BackfillRow(backfill);
          if (statement.read(tables.control, row.name()).isEmpty()
              || tables.isDeleted(statement, row.name())) {
            return false;
          }
          statement.insert(tables.backfill, backfill.id(), row);
          return true;
        });
  }

  @Override
  public List<Running> readRunning(@Nullable BackfillId after, int max) {
    return session.statement(
        statement ->
            statement.rows(tables.backfill, row -> row.state == BackfillState.RUNNING).stream()
                .filter(row -> after == null || row.given.id().compareTo(after) > 0)
                .limit(max)
                .map(row -> running(statement, row))
                .toList());
  }

  private Running running(ModelStatement statement, BackfillRow row) {
    WorkflowId latest =
        tables
            .latest(statement, row.name())
            .filter(version -> !tables.isDeleted(statement, row.name()))
            .flatMap(version -> statement.read(tables.version, version))
            .orElse(null);
    return new Running(
        row.given.id(),
        row.given.tenant(),
        row.given.workflow(),
        row.given.schedule(),
        row.given.rules(),
        row.nextAt,
        open(statement, row.given.id()).size(),
        latest,
        statement.now());
  }

  private List<RunRow> open(ModelStatement statement, BackfillId id) {
    return statement.rows(tables.run, run -> run.isOfBackfill(id) && run.isOpen());
  }

  @Override
  public Map<Instant, Existing.Found> readExisting(
      String tenant, String workflow, Collection<Instant> instants) {
    var name = new WorkflowName(tenant, workflow);
    return session.statement(
        statement -> {
          Map<Instant, Existing.Found> found = new TreeMap<>();
          for (RunRow run : statement.rows(tables.run, run -> run.isOf(name))) {
            if (instants.contains(run.logicalDate)) {
              found.put(run.logicalDate, new Existing.Found(run.state));
            }
          }
          return found;
        });
  }

  @Override
  public void lockTriggers(String tenant, String workflow, @Nullable TriggerId trigger) {
    var name = new WorkflowName(tenant, workflow);
    session.<Integer>statement(
        statement -> {
          var versions =
              statement.rows(tables.triggerVersion, row -> row.isTimed() && row.isOpen()).stream()
                  .filter(row -> trigger == null || row.trigger.equals(trigger))
                  .filter(
                      row ->
                          statement
                              .read(tables.trigger, row.trigger)
                              .orElseThrow()
                              .workflow()
                              .equals(name))
                  .toList();
          versions.forEach(
              row -> statement.lock(tables.triggerVersion, row.id, TriggerVersionRow::isOpen));
          return versions.size();
        });
  }

  @Override
  public boolean advance(
      BackfillId id, Instant from, @Nullable Instant to, int fired, int skipped) {
    return update(
        id,
        row -> row.state == BackfillState.RUNNING && Objects.equals(row.nextAt, from),
        row -> {
          row.nextAt = to;
          row.fired += fired;
          row.skipped += skipped;
        });
  }

  @Override
  public void insertFires(BackfillId id, List<Fire> fires) {
    session.<Integer>statement(
        statement -> {
          fires.forEach(
              fire ->
                  statement.insert(
                      tables.backfillFire, new BackfillRow.FireKey(id, fire.at()), fire));
          return fires.size();
        });
  }

  @Override
  public boolean complete(BackfillId id) {
    return session.statement(
        statement ->
            open(statement, id).isEmpty()
                && statement
                    .update(
                        tables.backfill,
                        id,
                        row -> row.state == BackfillState.RUNNING && row.nextAt == null,
                        row -> row.state = BackfillState.COMPLETED)
                    .isPresent());
  }

  @Override
  public boolean giveUp(BackfillId id, String reason) {
    return end(id, reason, EnumSet.of(BackfillState.RUNNING));
  }

  @Override
  public boolean cancel(BackfillId id, String reason) {
    return end(id, reason, EnumSet.of(BackfillState.RUNNING, BackfillState.PAUSED));
  }

  private boolean end(BackfillId id, String reason, Set<BackfillState> from) {
    return update(
        id,
        row -> from.contains(row.state),
        row -> {
          row.state = BackfillState.CANCELLED;
          row.reason = reason;
        });
  }

  @Override
  public boolean lockWorkflow(BackfillId id) {
    return session.statement(
        statement ->
            statement
                .read(tables.backfill, id)
                .flatMap(row -> statement.lock(tables.control, row.name(), any -> true))
                .isPresent());
  }

  @Override
  public Optional<BackfillState> findState(BackfillId id) {
    return session
        .statement(statement -> statement.read(tables.backfill, id))
        .map(row -> row.state);
  }

  @Override
  public boolean pause(BackfillId id, String reason) {
    return update(
        id,
        row -> row.state == BackfillState.RUNNING,
        row -> {
          row.state = BackfillState.PAUSED;
          row.reason = reason;
        });
  }

  @Override
  public boolean resume(BackfillId id) {
    return update(
        id,
        row -> row.state == BackfillState.PAUSED,
        row -> {
          row.state = BackfillState.RUNNING;
          row.reason = null;
        });
  }

  @Override
  public int cancelQueued(BackfillId id, String actor) {
    return session.statement(
        statement -> {
          int asked = 0;
          for (RunRow queued :
              statement.rows(
                  tables.run, run -> run.isOfBackfill(id) && run.state == RunState.QUEUED)) {
            var cancelled =
                statement.update(
                    tables.run,
                    queued.id,
                    run -> run.state == RunState.QUEUED && run.cancelRequestedAt == null,
                    run -> run.cancelRequestedAt = statement.now());
            if (cancelled.isPresent()) {
              tables.mark(statement, queued.id);
              asked++;
            }
          }
          return asked;
        });
  }

  @Override
  public List<RunId> readOpen(BackfillId id) {
    return session.statement(statement -> open(statement, id).stream().map(run -> run.id).toList());
  }

  private boolean update(BackfillId id, Predicate<BackfillRow> fits, Consumer<BackfillRow> change) {
    return session.statement(
        statement -> statement.update(tables.backfill, id, fits, change).isPresent());
  }
}
