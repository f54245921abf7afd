package dev.belay.domain.task;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Where a task is in its life. {@link TaskTransitions} says how it may go on. */
public enum TaskState {
  /** Waits for the tasks it depends on. */
  WAITING(Kind.IDLE),
  /** Awaits admission; a retry waits here until its {@code not_before}. */
  PENDING(Kind.IDLE),
  /** Awaits the word of a person. */
  APPROVAL_REQUIRED(Kind.IDLE),
  /** Admitted; awaits a free slot on a worker. */
  SCHEDULED(Kind.IDLE),
  /** Committed to one worker session, not known to have started. */
  DISPATCHED(Kind.ACTIVE),
  /** Its process runs. */
  RUNNING(Kind.ACTIVE),
  /** Waits for a time or an event and holds no slot. */
  DEFERRED(Kind.IDLE),
  /** Parked until a person resumes it. */
  BLOCKED(Kind.IDLE),
  SUCCEEDED(Kind.TERMINAL),
  FAILED(Kind.TERMINAL),
  /** Ran, or waited, longer than it was allowed to. */
  TIMEOUT(Kind.TERMINAL),
  CANCELLED(Kind.TERMINAL),
  /** Refused by policy. */
  DENIED(Kind.TERMINAL),
  /** Succeeded, but its output is withheld by policy. */
  OUTPUT_QUARANTINED(Kind.TERMINAL),
  /** Did not need to run. */
  SKIPPED(Kind.TERMINAL),
  /** Could not run, because what it depends on failed. */
  UPSTREAM_FAILED(Kind.TERMINAL);

  /** Nobody works on it, a worker holds it, or it is over. */
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

  /** It is over without success, and not because of another task. */
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
