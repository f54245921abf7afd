package dev.belay.simulation.model;

import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.AdmissionStatements;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Tasks that wait for admission or a time, by rows. */
record MemoryAdmissionStatements(Tables tables, Session session) implements AdmissionStatements {

  @Override
  public List<Due> lockDue(int max) {
    return session.statement(
        statement -> {
          Instant now = statement.now();
          List<TaskRow> due = statement.rows(tables.task, row -> isDue(row, now));
          due.sort(Comparator.comparing(MemoryDispatch::dueAt));
          var locked = new ArrayList<Due>();
          due.stream()
              .limit(max)
              .map(row -> row.id)
              .sorted()
              .forEach(
                  id ->
                      statement
                          .lock(tables.task, id, row -> isDue(row, now))
                          .ifPresent(
                              row -> locked.add(new Due(row.id, row.state, row.run, row.queue))));
          return locked;
        });
  }

  private boolean isDue(TaskRow row, Instant now) {
    return MemoryDispatch.isTimed(row)
        && tables.guards.pass(RaceGuard.NOT_BEFORE, !MemoryDispatch.dueAt(row).isAfter(now));
  }

  @Override
  public List<Stuck> lockStuck(Duration pending, int max) {
    return session.statement(
        statement -> {
          Instant since = statement.now().minus(pending);
          Predicate<TaskRow> isStuck =
              row -> row.state == TaskState.PENDING && !movableAt(row).isAfter(since);
          var locked = new ArrayList<Stuck>();
          statement.rows(tables.task, isStuck).stream()
              .limit(max)
              .map(row -> row.id)
              .sorted()
              .forEach(
                  id ->
                      statement
                          .lockOrSkip(tables.task, id, isStuck)
                          .ifPresent(
                              row ->
                                  locked.add(
                                      new Stuck(
                                          row.id,
                                          Duration.between(movableAt(row), statement.now())))));
          return locked;
        });
  }

  private static Instant movableAt(TaskRow task) {
    return task.notBefore != null && task.notBefore.isAfter(task.stateSince)
        ? task.notBefore
        : task.stateSince;
  }
}
