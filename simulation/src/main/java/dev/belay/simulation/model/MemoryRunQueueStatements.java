package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.statement.RunQueueStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether runs may start, by rows. */
record MemoryRunQueueStatements(Tables tables, Session session) implements RunQueueStatements {

  @Override
  public List<Control> lockControls(Collection<RunId> runs) {
    return session.statement(
        statement -> {
          // Whether any of its runs is of a backfill.
          var names = new TreeMap<WorkflowName, Boolean>();
          for (RunId run : runs) {
            statement
                .read(tables.run, run)
                .ifPresent(row -> names.merge(row.name(), isOfBackfill(row), Boolean::logicalOr));
          }
          var controls = new ArrayList<Control>();
          names.forEach(
              (name, ofBackfill) ->
                  statement
                      .lock(tables.control, name, any -> true)
                      .ifPresent(
                          row ->
                              controls.add(
                                  new Control(
                                      name.tenant(), name.name(), ofBackfill || isLimited(row)))));
          return controls;
        });
  }

  private static boolean isOfBackfill(RunRow run) {
    return run.cause != null && run.cause.backfill() != null;
  }

  private static boolean isLimited(ControlRow control) {
    return control.pausedAt != null || control.maxActive != null;
  }

  @Override
  public Map<RunId, String> readHeld(Collection<RunId> runs) {
    if (!tables.guards.has(RaceGuard.MAX_ACTIVE)) {
      return Map.of();
    }
    return session.statement(
        statement -> {
          var wanted = new TreeMap<WorkflowName, List<RunRow>>();
          for (RunId id : new TreeSet<>(runs)) {
            statement
                .read(tables.run, id)
                .filter(run -> run.state == RunState.QUEUED)
                .ifPresent(
                    run -> wanted.computeIfAbsent(run.name(), first -> new ArrayList<>()).add(run));
          }
          var held = new TreeMap<RunId, String>();
          wanted.forEach((name, queued) -> hold(statement, name, queued, held));
          return held;
        });
  }

  private void hold(
      ModelStatement statement, WorkflowName name, List<RunRow> wanted, Map<RunId, String> held) {
    var control = statement.read(tables.control, name).orElse(null);
    if (control == null) {
      return;
    }
    var next = new TreeSet<RunId>();
    int free = free(statement, control, Integer.MAX_VALUE);
    for (RunRow run :
        statement.rows(
            tables.run, run -> run.state == RunState.QUEUED && run.counted && run.isOf(name))) {
      if (next.size() < free) {
        next.add(run.id);
      }
    }
    for (RunRow run : wanted) {
      if (run.cancelRequestedAt != null && tables.guards.has(RaceGuard.BACKFILL_CANCEL)) {
        held.put(run.id, "cancelled");
      } else if (control.pausedAt != null) {
        held.put(run.id, "paused");
      } else if (run.counted && !next.contains(run.id)) {
        held.put(run.id, "max_active");
      }
    }
  }

  private int free(ModelStatement statement, ControlRow control, int max) {
    if (control.maxActive == null) {
      return max;
    }
    int active =
        statement
            .rows(
                tables.run,
                run -> run.state == RunState.RUNNING && run.counted && run.isOf(control.name))
            .size();
    return Math.min(max, Math.max(0, control.maxActive - active));
  }

  @Override
  public void hold(Map<RunId, String> held) {
    session.<Integer>statement(
        statement -> {
          held.forEach(
              (run, reason) ->
                  statement.update(
                      tables.run,
                      run,
                      row -> row.state == RunState.QUEUED && !reason.equals(row.reason),
                      row -> row.reason = reason));
          return held.size();
        });
  }

  @Override
  public int release(Collection<Control> controls, int max) {
    return session.statement(
        statement -> {
          var released = new TreeSet<RunId>();
          for (Control one : controls) {
            statement
                .read(tables.control, new WorkflowName(one.tenant(), one.name()))
                .filter(control -> control.pausedAt == null)
                .ifPresent(control -> release(statement, control, max, released));
          }
          released.forEach(run -> tables.mark(statement, run));
          return released.size();
        });
  }

  private void release(ModelStatement statement, ControlRow control, int max, Set<RunId> released) {
    release(statement, control, true, free(statement, control, max), released);
    release(statement, control, false, max, released);
  }

  private void release(
      ModelStatement statement, ControlRow control, boolean counted, int max, Set<RunId> released) {
    statement
        .rows(
            tables.run,
            run ->
                run.state == RunState.QUEUED
                    && run.reason != null
                    && run.counted == counted
                    && run.isOf(control.name))
        .stream()
        .limit(max)
        .forEach(
            run ->
                statement
                    .update(
                        tables.run,
                        run.id,
                        row -> row.state == RunState.QUEUED,
                        row -> row.reason = null)
                    .ifPresent(row -> released.add(row.id)));
  }
}
