package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.result.Decision;
import dev.belay.engine.result.Folded;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.guard.Guard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reports that need no judgement, written without reading first. */
final class Usual {

  private static final String SUCCESS = "exit_code: 0";

  private final Tables tables;

  Usual(Tables tables) {
    this.tables = tables;
  }

  /**
   * @param speakers whose reports are written now; the others need a look
   * @param marked a run was marked
   */
  record Written(Set<Speaker> speakers, boolean marked) {
    boolean has(Folded reports) {
      return reports.isUsual() && speakers.contains(Speaker.of(reports.any()));
    }
  }

  /** Who speaks of which dispatch. At most one of those who speak of it is bound to it. */
  record Speaker(DispatchId dispatch, WorkerId worker, SessionId session) {
    static Speaker of(WorkerEvent event) {
      return new Speaker(event.dispatch(), event.worker(), event.session());
    }
  }

  Written write(Collection<Folded> all, String actor) {
    List<Folded> usual = new ArrayList<>();
    for (Folded reports : all) {
      if (reports.isUsual()) {
        usual.add(reports);
      }
    }
    if (usual.isEmpty()) {
      return new Written(Set.of(), false);
    }
    usual.sort(Comparator.comparing(Usual::task));
    return tables.database.statement(statement -> write(statement, usual, actor));
  }

  private static TaskId task(Folded reports) {
    return requireNonNull(reports.task());
  }

  private Written write(Statement statement, List<Folded> usual, String actor) {
    Instant now = statement.now();
    Set<Speaker> speakers = new HashSet<>();
    List<Moved> moved = new ArrayList<>();
    for (Folded reports : usual) {
      var one = write(statement, reports, now);
      if (one.isPresent()) {
        speakers.add(Speaker.of(reports.any()));
        moved.add(one.get());
      }
    }
    return new Written(speakers, Moved.note(tables, statement, moved, actor));
  }

  private Optional<Moved> write(Statement statement, Folded reports, Instant now) {
    Optional<WorkerEvent> end = reports.end();
    boolean over = end.isPresent();
    @Nullable Long startedAtMs = reports.startedAtMs();
    Instant begun = Moved.told(startedAtMs, now);
    TaskState from = reports.isAfterStart() ? TaskState.RUNNING : TaskState.DISPATCHED;
    Optional<TaskRow> written =
        statement.update(
            tables.task,
            task(reports),
            row -> fits(row, reports.any(), from),
            row -> {
              row.state = over ? TaskState.SUCCEEDED : TaskState.RUNNING;
              row.reason = over ? SUCCESS : "started";
              row.stateSince = now;
              row.notBefore = null;
              if (row.startedAt == null) {
                row.startedAt = Moved.told(startedAtMs, now, row.queuedAt);
              }
              row.endedAt =
                  over
                      ? Moved.told(reports.endedAtMs(), now, row.queuedAt, row.startedAt, begun)
                      : null;
            });
    DispatchId dispatch = reports.any().dispatch();
    written.ifPresent(
        task ->
            statement.update(
                tables.attempt,
                dispatch,
                attempt -> attempt.endedAt == null,
                attempt -> {
                  attempt.startedAt = task.startedAt;
                  attempt.endedAt = task.endedAt;
                  attempt.endReason = over ? SUCCESS : null;
                  attempt.exitCode = over ? 0 : null;
                  attempt.detail = end.map(Decision::detail).orElse(null);
                }));
    boolean viaRunning = over && !reports.isAfterStart();
    return written.map(
        task ->
            new Moved(
                task,
                dispatch,
                from,
                viaRunning,
                task.endedAt != null ? task.endedAt : requireNonNull(task.startedAt)));
  }

  private boolean fits(TaskRow row, WorkerEvent event, TaskState from) {
    return event.worker().equals(row.worker)
        && tables.guards.pass(Guard.DISPATCH_ID, event.dispatch().equals(row.dispatch))
        && tables.guards.pass(Guard.SESSION, event.session().equals(row.session))
        && tables.guards.pass(Guard.FROM_STATE, row.state == from);
  }
}
