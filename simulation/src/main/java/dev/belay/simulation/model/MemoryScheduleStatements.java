package dev.belay.simulation.model;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.statement.ScheduleStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Triggers and the runs that they cause, by rows. */
record MemoryScheduleStatements(Tables tables, Session session) implements ScheduleStatements {

  @Override
  public Instant now() {
    return session.statement(ModelStatement::now);
  }

  @Override
  public List<Known> lockTriggers(Collection<Workflow> workflows) {
    var wanted = new TreeSet<WorkflowName>();
    workflows.forEach(one -> wanted.add(new WorkflowName(one.tenant(), one.name())));
    // schedule/lock_triggers
    session.<Integer>statement(
        statement -> {
          for (TriggerRow trigger : triggers(statement, wanted)) {
            live(statement, trigger)
                .ifPresent(
                    row ->
                        statement.lock(tables.triggerVersion, row.id, TriggerVersionRow::isLive));
          }
          return wanted.size();
        });
    // schedule/read_triggers
    return session.statement(
        statement -> {
          var known = new ArrayList<Known>();
          for (TriggerRow trigger : triggers(statement, wanted)) {
            var live = live(statement, trigger).orElse(null);
            known.add(
                new Known(
                    trigger.id(),
                    new Workflow(trigger.workflow().tenant(), trigger.workflow().name()),
                    trigger.name(),
                    live == null ? null : live.id,
                    live == null ? null : live.spec,
                    covered(statement, trigger.id())));
          }
          return known;
        });
  }

  private List<TriggerRow> triggers(ModelStatement statement, Set<WorkflowName> wanted) {
    return statement.rows(tables.trigger, row -> wanted.contains(row.workflow()));
  }

  private Optional<TriggerVersionRow> live(ModelStatement statement, TriggerRow trigger) {
    return statement
        .rows(tables.triggerVersion, row -> row.trigger.equals(trigger.id()) && row.isLive())
        .stream()
        .findFirst();
  }

  private @Nullable Instant covered(ModelStatement statement, TriggerId trigger) {
    Stream<Instant> ended =
        statement
            .rows(tables.triggerVersion, row -> row.trigger.equals(trigger) && row.dueAt != null)
            .stream()
            .flatMap(row -> Stream.ofNullable(row.untilAt));
    Stream<Instant> decided =
        statement.rows(tables.fire, row -> row.key.trigger().equals(trigger)).stream()
            .map(MemoryScheduleStatements::intoOrAt);
    return Stream.concat(ended, decided).max(Instant::compareTo).orElse(null);
  }

  private static Instant intoOrAt(FireRow row) {
    return Objects.requireNonNullElse(row.decision.into(), row.key.at());
  }

  @Override
  public void retire(Map<UUID, Instant> versions) {
    session.<Integer>statement(
        statement -> {
          new TreeMap<>(versions)
              .forEach(
                  (version, until) ->
                      statement.update(
                          tables.triggerVersion,
                          version,
                          TriggerVersionRow::isLive,
                          row -> {
                            boolean more = row.nextAt != null && !row.nextAt.isAfter(until);
                            row.untilAt = until;
                            row.dueAt = more ? row.dueAt : null;
                          }));
          return versions.size();
        });
  }

  @Override
  public void insertVersions(List<NewVersion> versions, Instant now) {
    session.<Integer>statement(
        statement -> {
          for (NewVersion one : versions) {
            var workflow = new WorkflowName(one.workflow().tenant(), one.workflow().name());
            statement.insertIfAbsent(
                tables.trigger, one.trigger(), new TriggerRow(one.trigger(), workflow, one.name()));
            var row =
                new TriggerVersionRow(
                    one.id(), one.trigger(), one.kind(), one.source(), one.spec(), one.from());
            row.nextAt = one.next();
            row.dueAt = one.due();
            last(statement, one)
                .ifPresent(
                    last -> {
                      row.pausedAt = last.pausedAt;
                      if (row.isTimed()
                          && last.id.equals(one.replaces())
                          && last.replayFrom != null) {
                        row.replayFrom = last.replayFrom;
                        row.dueAt = now;
                      }
                    });
            statement.insert(tables.triggerVersion, row.id, row);
          }
          return versions.size();
        });
  }

  private Optional<TriggerVersionRow> last(ModelStatement statement, NewVersion next) {
    return statement.rows(tables.triggerVersion, row -> row.trigger.equals(next.trigger())).stream()
        .max(
            Comparator.comparing((TriggerVersionRow row) -> row.id.equals(next.replaces()))
                .thenComparing(row -> row.id));
  }

  @Override
  public Set<UUID> advance(List<Cursor> cursors) {
    return session.statement(
        statement -> {
          var moved = new TreeSet<UUID>();
          for (Cursor cursor : cursors) {
            statement
                .update(
                    tables.triggerVersion,
                    cursor.version(),
                    row -> isAsSeen(row, cursor.seen()),
                    row -> {
                      row.nextAt = cursor.next();
                      row.dueAt = cursor.due();
                      row.replayFrom = cursor.replayFrom();
                    })
                .ifPresent(row -> moved.add(row.id));
          }
          return moved;
        });
  }

  private boolean isAsSeen(TriggerVersionRow row, Seen seen) {
    boolean same =
        Objects.equals(row.untilAt, seen.until())
            && (row.pausedAt != null) == seen.paused()
            && Objects.equals(row.replayFrom, seen.replayFrom());
    return tables.guards.pass(RaceGuard.SEEN_CURSOR, Objects.equals(row.nextAt, seen.next()))
        && tables.guards.pass(RaceGuard.SEEN_TRIGGER, same);
  }

  @Override
  public void insertFires(List<Fire> fires) {
    session.<Integer>statement(
        statement -> {
          for (Fire fire : fires) {
            var key = new FireKey(fire.trigger(), fire.decision().at());
            statement.insert(
                tables.fire, key, new FireRow(key, fire.decision(), fire.run(), statement.now()));
          }
          return fires.size();
        });
  }

  @Override
  public Map<InstantKey, BackfillId> readBackfilled(Collection<InstantKey> instants) {
    return session.statement(
        statement -> {
          Map<InstantKey, BackfillId> found = new HashMap<>();
          for (InstantKey one : instants) {
            var name = statement.read(tables.trigger, one.trigger()).orElseThrow().workflow();
            statement.rows(tables.backfill, row -> row.takes(name, one.trigger())).stream()
                .map(row -> row.given.id())
                .filter(id -> hasRun(statement, id, one.at()))
                .forEach(id -> found.put(one, id));
          }
          return found;
        });
  }

  private boolean hasRun(ModelStatement statement, BackfillId backfill, Instant at) {
    return statement
        .read(tables.backfillFire, new BackfillRow.FireKey(backfill, at))
        .filter(fire -> fire.run() != null)
        .isPresent();
  }

  @Override
  public Set<Instant> changePaused(TriggerId trigger, List<Fire> fires) {
    return session.statement(
        statement -> {
          var changed = new TreeSet<Instant>();
          for (Fire fire : fires) {
            var key = new FireKey(trigger, fire.decision().at());
            statement
                .update(
                    tables.fire,
                    key,
                    FireRow::isPaused,
                    row -> {
                      row.decision = fire.decision();
                      row.run = fire.run();
                      row.decidedAt = statement.now();
                    })
                .ifPresent(row -> changed.add(key.at()));
          }
          return changed;
        });
  }

  @Override
  public Map<Workflow, List<RunId>> lockOpenRuns(Collection<Workflow> workflows) {
    var names = new TreeSet<>(workflows);
    session.<Integer>statement(
        statement -> {
          names.forEach(
              one ->
                  statement.lock(
                      tables.control, new WorkflowName(one.tenant(), one.name()), any -> true));
          return names.size();
        });
    return session.statement(
        statement -> {
          Map<Workflow, List<RunId>> open = new TreeMap<>();
          for (RunRow run :
              statement.rows(
                  tables.run,
                  row -> row.isOpen() && row.counted && row.cancelRequestedAt == null)) {
            var workflow = new Workflow(run.tenant, run.workflow);
            if (names.contains(workflow)) {
              open.computeIfAbsent(workflow, first -> new ArrayList<>()).add(run.id);
            }
          }
          return open;
        });
  }

  @Override
  public Set<RunId> insertRuns(List<NewRun> runs, String actor) {
    return session.statement(
        statement -> {
          var inserted = new TreeSet<RunId>();
          for (NewRun wanted : runs) {
            var workflow = new WorkflowName(wanted.tenant(), wanted.workflow());
            if (tables.isDeleted(statement, workflow)) {
              continue;
            }
            var run =
                new RunRow(
                    wanted.id(),
                    wanted.tenant(),
                    wanted.workflowId(),
                    wanted.workflow(),
                    wanted.params(),
                    statement.now());
            run.counted = wanted.counted();
            run.cause = wanted.cause();
            run.logicalDate = wanted.logicalDate();
            run.deadlineAt = tables.deadline(statement, run.workflowId);
            statement.insert(tables.run, run.id, run);
            tables.mark(statement, run.id);
            tables.changed(statement, run.id, null, RunState.QUEUED, "triggered", actor);
            inserted.add(run.id);
          }
          return inserted;
        });
  }
}
