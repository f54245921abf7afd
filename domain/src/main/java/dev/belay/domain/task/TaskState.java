package dev.belay.domain.task;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The state of a task. {@link TaskTransitions} has the legal transitions. */
public enum TaskState {
  /** Waits for the tasks it depends on. */
  WAITING(Kind.IDLE),
  /** Awaits admission; a retry and a delayed task wait here until their {@code not_before}. */
  PENDING(Kind.IDLE),
  /** Awaits a person's approval. */
  APPROVAL_REQUIRED(Kind.IDLE),
  /** Admitted; awaits a free slot on a worker. */
  SCHEDULED(Kind.IDLE),
  /** Committed to one worker session; the server does not know of a start. */
  DISPATCHED(Kind.ACTIVE),
  /** Its process runs. */
  RUNNING(Kind.ACTIVE),
  /** Waits for a time or an event and holds no slot. */
  DEFERRED(Kind.IDLE),
  /** Parked until a person resumes it. */
  BLOCKED(Kind.IDLE),
  SUCCEEDED(Kind.TERMINAL),
  FAILED(Kind.TERMINAL),
  /** Exceeded the time it may run or wait. */
  TIMEOUT(Kind.TERMINAL),
  CANCELLED(Kind.TERMINAL),
  /** Refused by policy. */
  DENIED(Kind.TERMINAL),
  /** Succeeded, but its output is withheld by policy. */
  OUTPUT_QUARANTINED(Kind.TERMINAL),
  /** Did not need to run. */
  SKIPPED(Kind.TERMINAL),
  /** Could not run, because an upstream task failed. */
  UPSTREAM_FAILED(Kind.TERMINAL);

  /** Whether a task is idle, held by a worker, or over. */
  public enum Kind {
    IDLE,
    ACTIVE,
    TERMINAL
  }

  public static final Set<TaskState> TERMINAL = of(Kind.TERMINAL);
  public static final Set<TaskState> ACTIVE = of(Kind.ACTIVE);

  private final Kind kind;

  TaskState(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isTerminal() {
    return kind == Kind.TERMINAL;
  }

  public boolean isActive() {
    return kind == Kind.ACTIVE;
  }

  /** It ended without success, and not because of another task. */
  public boolean isOwnFailure() {
    return switch (this) {
      case FAILED, TIMEOUT, CANCELLED, DENIED, OUTPUT_QUARANTINED -> true;
      case SUCCEEDED,
          SKIPPED,
          UPSTREAM_FAILED,
          WAITING,
          PENDING,
          APPROVAL_REQUIRED,
          SCHEDULED,
          DISPATCHED,
          RUNNING,
          DEFERRED,
          BLOCKED ->
          false;
    };
  }

  private static Set<TaskState> of(Kind kind) {
    var states = EnumSet.noneOf(TaskState.class);
    Arrays.stream(values()).filter(state -> state.kind == kind).forEach(states::add);
    return Collections.unmodifiableSet(states);
  }
}
