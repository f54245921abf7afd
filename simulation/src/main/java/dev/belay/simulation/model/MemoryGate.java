package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.simulation.guard.Guard;
import dev.belay.store.gate.Gate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Lets runs start: {@link Gate}. */
final class MemoryGate {

  private final Tables tables;
  private final Transaction transaction;
  private final List<WorkflowName> controls;
  private final boolean limited;

  private MemoryGate(
      Tables tables, Transaction transaction, List<WorkflowName> controls, boolean limited) {
    this.tables = tables;
    this.transaction = transaction;
    this.controls = controls;
    this.limited = limited;
  }

  /** gate/lock_controls. */
  static MemoryGate of(Tables tables, Transaction transaction, Collection<RunId> runs) {
    if (runs.isEmpty()) {
      return new MemoryGate(tables, transaction, List.of(), false);
    }
    return transaction.statement(
        statement -> {
          var names = new TreeSet<WorkflowName>();
          for (RunId run : runs) {
            statement.read(tables.run, run).ifPresent(row -> names.add(row.name()));
          }
          var controls = new ArrayList<WorkflowName>();
          boolean limited = false;
          for (WorkflowName name : names) {
            var control = statement.lock(tables.control, name, any -> true);
            if (control.isPresent()) {
              controls.add(name);
              limited |= isLimited(control.get());
            }
          }
          return new MemoryGate(tables, transaction, controls, limited);
        });
  }

  static MemoryGate ofWritten(Tables tables, Transaction transaction, WorkflowName name) {
    return new MemoryGate(tables, transaction, List.of(name), true);
  }

  private static boolean isLimited(ControlRow control) {
    return control.pausedAt != null || control.maxActive != null;
  }

  /** gate/read_held. */
  Map<RunId, String> held(Collection<RunId> runs) {
    if (runs.isEmpty() || !limited || !tables.guards.has(Guard.MAX_ACTIVE)) {
      return Map.of();
    }
    return transaction.statement(
        statement -> {
          var wanted = new TreeMap<WorkflowName, List<RunId>>();
          for (RunId id : new TreeSet<>(runs)) {
            statement
                .read(tables.run, id)
                .filter(run -> run.state == RunState.QUEUED)
                .ifPresent(
                    run ->
                        wanted.computeIfAbsent(run.name(), first -> new ArrayList<>()).add(run.id));
          }
          var held = new TreeMap<RunId, String>();
          wanted.forEach((name, ids) -> hold(statement, name, ids, held));
          return held;
        });
  }

  private void hold(
      Statement statement, WorkflowName name, List<RunId> wanted, Map<RunId, String> held) {
    var control = statement.read(tables.control, name).filter(MemoryGate::isLimited).orElse(null);
    if (control == null) {
      return;
    }
    if (control.pausedAt != null) {
      wanted.forEach(run -> held.put(run, "paused"));
      return;
    }
    var next = new TreeSet<RunId>();
    int free = free(statement, control, Integer.MAX_VALUE);
    for (RunRow run :
        statement.rows(tables.run, run -> run.state == RunState.QUEUED && run.isOf(name))) {
      if (next.size() < free) {
        next.add(run.id);
      }
    }
    for (RunId run : wanted) {
      if (!next.contains(run)) {
        held.put(run, "max_active");
      }
    }
  }

  private int free(Statement statement, ControlRow control, int max) {
    if (control.maxActive == null) {
      return max;
    }
    int active =
        statement
            .rows(tables.run, run -> run.state == RunState.RUNNING && run.isOf(control.name))
            .size();
    return Math.min(max, Math.max(0, control.maxActive - active));
  }

  /** gate/hold_runs. */
  void hold(Map<RunId, String> held) {
    if (held.isEmpty()) {
      return;
    }
    transaction.statement(
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

  /** gate/release_runs. */
  int release() {
    if (controls.isEmpty()) {
      return 0;
    }
    return transaction.statement(
        statement -> {
          var released = new TreeSet<RunId>();
          for (WorkflowName name : controls) {
            statement
                .read(tables.control, name)
                .filter(control -> control.pausedAt == null)
                .ifPresent(control -> release(statement, control, released));
          }
          released.forEach(run -> tables.mark(statement, run));
          return released.size();
        });
  }

  private void release(Statement statement, ControlRow control, Set<RunId> released) {
    List<RunRow> held =
        statement.rows(
            tables.run,
            run -> run.state == RunState.QUEUED && run.reason != null && run.isOf(control.name));
    if (held.isEmpty()) {
      return;
    }
    int free = Math.min(held.size(), free(statement, control, Gate.RELEASED_MAX));
    for (RunRow run : held.subList(0, free)) {
      statement
          .update(tables.run, run.id, row -> row.state == RunState.QUEUED, row -> row.reason = null)
          .ifPresent(row -> released.add(row.id));
    }
  }
}
