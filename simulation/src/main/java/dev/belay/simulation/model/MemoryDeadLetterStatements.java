package dev.belay.simulation.model;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.statement.DeadLetterStatements;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Dead letters, on rows. */
record MemoryDeadLetterStatements(Tables tables, Session session) implements DeadLetterStatements {

  @Override
  public long lockRouting() {
    return session.statement(
        statement ->
            statement
                .lock(tables.routing, true, any -> true)
                .map(RoutingRow::version)
                .orElseThrow());
  }

  @Override
  public List<GivenUp> giveUp(List<Hopeless> queues, int max, String actor) {
    return session.statement(
        statement -> {
          var over = new TreeMap<TaskId, Hopeless>();
          for (Hopeless queue : queues) {
            Instant since = waitsSince(statement, queue);
            if (!queue.since().isAfter(since)) {
              statement.rows(tables.task, task -> isOver(task, queue, since)).stream()
                  .limit(Math.max(0, max - over.size()))
                  .forEach(task -> over.put(task.id, queue));
            }
          }
          var given = new ArrayList<GivenUp>();
          var runs = new TreeSet<RunId>();
          over.forEach(
              (id, queue) ->
                  end(statement, id, queue, actor)
                      .ifPresent(
                          task -> {
                            given.add(new GivenUp(id, task.run, queue.queue()));
                            if (task.run != null) {
                              runs.add(task.run);
                            }
                          }));
          runs.forEach(run -> tables.mark(statement, run));
          return given;
        });
  }

  private static Instant waitsSince(ModelStatement statement, Hopeless queue) {
    return statement.now().minus(queue.patience());
  }

  private static boolean isOver(TaskRow task, Hopeless queue, Instant since) {
    return task.state == TaskState.SCHEDULED
        && queue.queue().equals(task.queue)
        && !task.stateSince.isAfter(since);
  }

  /** Locks the current row in any state, and then looks at it again. */
  private Optional<TaskRow> end(ModelStatement statement, TaskId id, Hopeless queue, String actor) {
    if (statement.lock(tables.task, id, any -> true).isEmpty()) {
      return Optional.empty();
    }
    String reason = queue.reason().word() + ": " + queue.detail();
    Instant now = statement.now();
    Instant since = waitsSince(statement, queue);
    Optional<TaskRow> ended =
        statement.update(
            tables.task,
            id,
            task -> tables.guards.pass(RaceGuard.STILL_WAITS, isOver(task, queue, since)),
            task -> {
              task.state = TaskState.FAILED;
              task.reason = reason;
              task.stateSince = now;
              task.notBefore = null;
              task.endedAt = now;
            });
    ended.ifPresent(
        task ->
            tables.stored(
                statement,
                task,
                new Step(TaskState.SCHEDULED, TaskState.FAILED, reason, actor, null, now)));
    return ended;
  }

  @Override
  public List<DeadLettered> insert(List<NewLetter> letters) {
    return session.statement(
        statement -> {
          var written = new ArrayList<DeadLettered>();
          for (NewLetter letter : letters) {
            statement
                .read(tables.task, letter.task())
                .filter(task -> task.state == TaskState.FAILED)
                .filter(task -> task.run == null || letter.reason() != DeadLetterReason.FAILED)
                .filter(task -> of(statement, task.id, task.generation).isEmpty())
                .ifPresent(
                    task -> {
                      statement.insert(
                          tables.deadLetter, letter.id(), row(statement, letter, task));
                      written.add(new DeadLettered(task.id, letter.reason(), null));
                    });
          }
          return written;
        });
  }

  private DeadLetterRow row(ModelStatement statement, NewLetter letter, TaskRow task) {
    List<DeadLetterRow> earlier =
        statement.rows(
            tables.deadLetter, row -> row.retried() != null && row.retried().as().equals(task.id));
    DeadLetterId retryOf = earlier.isEmpty() ? null : earlier.getLast().id();
    return new DeadLetterRow(letter.id(), task.id, task.generation, letter.reason(), retryOf, null);
  }

  private Optional<DeadLetterRow> of(ModelStatement statement, TaskId task, int generation) {
    return statement
        .rows(tables.deadLetter, row -> row.task().equals(task) && row.generation() == generation)
        .stream()
        .findFirst();
  }

  @Override
  public Optional<Letter> find(DeadLetterId letter) {
    return session.statement(
        statement ->
            statement
                .read(tables.deadLetter, letter)
                .map(
                    row ->
                        new Letter(
                            row.task(),
                            row.generation(),
                            statement
                                .read(tables.task, row.task())
                                .map(task -> task.run)
                                .orElse(null),
                            row.retried())));
  }

  /** Meets nothing that is simulated at a row, except a reopening of the same task. */
  @Override
  public boolean resubmit(
      DeadLetterId letter, TaskId as, TaskState state, String reason, String actor) {
    throw new UnsupportedOperationException("retries of dead letters are not simulated");
  }
}
