package dev.belay.engine.result;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.Outcome;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.Change;
import dev.belay.session.gateway.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All results of one session on one dispatch in a batch: a start, an end, or both. */
public final class Folded {

  private final List<WorkerEvent> events = new ArrayList<>();
  private WorkerEvent.@Nullable Started started;
  private WorkerEvent.@Nullable Ended end;

  public void add(WorkerEvent event) {
    events.add(event);
    switch (event) {
      case WorkerEvent.Started start -> started = started == null ? start : started;
      case WorkerEvent.Ended ended -> end = end == null || isContradicted(end, ended) ? ended : end;
    }
  }

  /** The first end counts, unless it is a loss that a later one disproves. */
  private static boolean isContradicted(WorkerEvent.Ended first, WorkerEvent.Ended next) {
    return first.outcome() instanceof Outcome.Lost && !(next.outcome() instanceof Outcome.Lost);
  }

  List<WorkerEvent> events() {
    return events;
  }

  WorkerEvent any() {
    return events.getFirst();
  }

  AttemptKey attempt() {
    return new AttemptKey(any().task(), any().dispatch());
  }

  boolean hasStarted() {
    return started != null;
  }

  Optional<WorkerEvent.Ended> end() {
    return Optional.ofNullable(end);
  }

  Change.Times times() {
    long ended = end == null ? 0 : end.execution().endedAtMs();
    return new Change.Times(known(startedAtMs()), known(ended));
  }

  private long startedAtMs() {
    if (end != null && end.execution().startedAtMs() > 0) {
      return end.execution().startedAtMs();
    }
    return started == null ? 0 : started.atMs();
  }

  private static @Nullable Long known(long atMs) {
    return atMs > 0 ? Long.valueOf(atMs) : null;
  }

  /** The kind of recovery, when the end is a loss. */
  Optional<RecoveryKind> loss() {
    return end != null && end.outcome() instanceof Outcome.Lost lost
        ? RecoveryKind.of(lost.reason())
        : Optional.empty();
  }

  boolean needsPolicy() {
    return end != null && !end.outcome().isSuccess();
  }

  /** A start alone, or an end with success. */
  boolean isUsual() {
    return !needsPolicy();
  }

  /** Whether the task was RUNNING before, in the normal case. */
  boolean isAfterStart() {
    return started == null && end != null && end.startTold();
  }

  TaskId task() {
    return any().task();
  }
}
