package dev.belay.session.agent;

import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.wire.WireId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The state of one dispatch on this worker, until it is settled. */
sealed interface Holding {

  TaskId task();

  /** Recorded by an earlier session and never opened: starts only when assigned again. */
  record Recorded(TaskId task) implements Holding {}

  /**
   * Its latched process is being created, or discarded when a stop reason is set.
   *
   * @param lease null unless it is strict
   */
  record Preparing(TaskId task, @Nullable Duration lease, @Nullable String stopReason)
      implements Holding {}

  /** Strict, with its latch shut: the agent asks the server for the start, or will. */
  record Asking(TaskId task, Duration lease, long askedAtMs, long pid, @Nullable String stopReason)
      implements Holding {}

  /** Recorded as started and opened by this process. */
  record Running(
      TaskId task,
      @Nullable Duration lease,
      long startedAtMs,
      long pid,
      @Nullable String stopReason)
      implements Holding {}

  /** Recorded as ended; the outcome awaits its settlement. */
  record Ended(Finished finished) implements Holding {
    @Override
    public TaskId task() {
      return WireId.task(finished.getTaskId());
    }
  }

  /** Was running when the process of an earlier session died. */
  record Died(TaskId task) implements Holding {}

  /** Refused; remembered, so that it is not taken while the refusal is on its way. */
  record Refused(TaskId task, String reason) implements Holding {}

  static Holding recovered(JournalEntry last) {
    return switch (last) {
      case JournalEntry.Prepared prepared -> new Recorded(prepared.task());
      case JournalEntry.Started started -> new Died(started.task());
      case JournalEntry.Ended ended -> new Ended(ended.finished());
      case JournalEntry.Settled settled ->
          throw new IllegalArgumentException("held, but settled: " + settled.dispatch());
    };
  }

  /** Has, or may have, a process. */
  default boolean isActive() {
    return this instanceof Running || isLatched();
  }

  /** Provably has not run, and will unless it is stopped. */
  default boolean isLatched() {
    return this instanceof Preparing || this instanceof Asking;
  }
}
