package dev.belay.engine.result;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.session.gateway.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that one speaker reports on one dispatch in a batch: perhaps a start, perhaps an end. */
public final class Folded {

  private final List<WorkerEvent> events = new ArrayList<>();
  private WorkerEvent.@Nullable Started started;
  private @Nullable WorkerEvent end;

  public void add(WorkerEvent event) {
    events.add(event);
    switch (event) {
      case WorkerEvent.Started start -> started = started == null ? start : started;
      case WorkerEvent.Finished finished -> endWith(finished);
      case WorkerEvent.Refused refused -> endWith(refused);
      case WorkerEvent.Lost lost -> endWith(lost);
    }
  }

  /** The first word on the end counts, unless a loss is contradicted by an outcome. */
  private void endWith(WorkerEvent event) {
    if (end == null || (end instanceof WorkerEvent.Lost && !(event instanceof WorkerEvent.Lost))) {
      end = event;
    }
  }

  public List<WorkerEvent> events() {
    return events;
  }

  public boolean hasStarted() {
    return started != null;
  }

  public Optional<WorkerEvent> end() {
    return Optional.ofNullable(end);
  }

  /** By the database's clock; null when it is not known, or it did not start. */
  public @Nullable Long startedAtMs() {
    if (end instanceof WorkerEvent.Finished finished && finished.message().getStartedAtMs() > 0) {
      return known(finished.message().getStartedAtMs());
    }
    return started == null ? null : known(started.atMs());
  }

  /** Likewise. */
  public @Nullable Long endedAtMs() {
    return end instanceof WorkerEvent.Finished finished
        ? known(finished.message().getEndedAtMs())
        : null;
  }

  private static @Nullable Long known(long atMs) {
    return atMs > 0 ? Long.valueOf(atMs) : null;
  }

  /** How the end was found, when it is a loss. */
  public Optional<RecoveryKind> loss() {
    return end instanceof WorkerEvent.Lost lost ? RecoveryKind.of(lost.reason()) : Optional.empty();
  }

  public boolean needsPolicy() {
    return end != null && !isSuccess(end);
  }

  /** A start alone, or an end with success, of a task that is known. */
  public boolean isUsual() {
    return task() != null && (end == null || isSuccess(end));
  }

  /** Whether the task, if it is as all goes well, was RUNNING before. */
  public boolean isAfterStart() {
    return started == null && end instanceof WorkerEvent.Finished finished && finished.startTold();
  }

  public @Nullable TaskId task() {
    return switch (events.getFirst()) {
      case WorkerEvent.Started start -> start.task();
      case WorkerEvent.Finished finished -> finished.task();
      case WorkerEvent.Refused _, WorkerEvent.Lost _ -> null;
    };
  }

  private static boolean isSuccess(WorkerEvent end) {
    return end instanceof WorkerEvent.Finished finished
        && finished.message().hasExit()
        && finished.message().getExit().getCode() == 0;
  }

  public WorkerEvent any() {
    return events.getFirst();
  }
}
