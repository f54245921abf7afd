package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.statement.PromiseStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Promises of runs, by rows. Alerts have no table here: their writes only count. */
record MemoryPromiseStatements(Tables tables, Session session) implements PromiseStatements {

  @Override
  public List<TimedOut> timeOut(int max) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var timedOut = new ArrayList<TimedOut>();
          statement.rows(tables.run, run -> isOverTime(run, now)).stream()
              .sorted(Comparator.comparing(run -> run.timeoutAt))
              .limit(max)
              .map(run -> run.id)
              .sorted()
              .forEach(id -> timeOut(statement, id, now, timedOut));
          return timedOut;
        });
  }

  private void timeOut(ModelStatement statement, RunId id, Instant now, List<TimedOut> timedOut) {
    statement
        .update(
            tables.run,
            id,
            run -> tables.guards.pass(RaceGuard.FROM_STATE, isOverTime(run, now)),
            run -> run.timedOutAt = now)
        .ifPresent(
            run -> {
              tables.mark(statement, id);
              timedOut.add(new TimedOut(id, Duration.between(run.timeoutAt, now)));
            });
  }

  private static boolean isOverTime(RunRow run, Instant now) {
    return run.state == RunState.RUNNING
        && run.timeoutAt != null
        && !run.timeoutAt.isAfter(now)
        && run.ending() == null;
  }

  @Override
  public Set<RunId> alertOverdue(List<Overdue> runs) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          var alerted = new TreeSet<RunId>();
          runs.stream()
              .sorted(Comparator.comparing(Overdue::run))
              .forEach(
                  one ->
                      statement
                          .update(
                              tables.run,
                              one.run(),
                              run -> isOverdue(run, now) && run.generation == one.generation(),
                              run -> run.deadlineAlertedAt = now)
                          .ifPresent(run -> alerted.add(run.id)));
          return alerted;
        });
  }

  private static boolean isOverdue(RunRow run, Instant now) {
    return run.isOpen()
        && run.deadlineAt != null
        && !run.deadlineAt.isAfter(now)
        && run.deadlineAlertedAt == null;
  }

  /** Nothing in the model asks: a check races with no plan. */
  @Override
  public Set<UUID> check(List<Check> checks) {
    throw new UnsupportedOperationException("not in the model");
  }

  @Override
  public boolean alertLate(String detail) {
    return true;
  }
}
