package dev.belay.simulation;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The times that tasks wait for, and whether each fires when it should. */
final class Timers {
  /** In calm, with a leader, nothing else delays a timer. */
  private static final Duration LATE_MAX = Rules.TICK.multipliedBy(2);

  private static final String WAIT_OVER = Admission.due(TaskState.DEFERRED).reason();

  private final World world;
  private final Duration calmFor;
  private final Map<TaskId, Instant> due = new HashMap<>();

  /**
   * @param calmFor so long after the last fault, a leader is there
   */
  Timers(World world, Duration calmFor) {
    this.world = world;
    this.calmFor = calmFor;
  }

  /** The row as it is now. */
  void note(Observed.TaskNow task) {
    Instant notBefore = task.notBefore();
    if (notBefore == null) {
      due.remove(task.id());
    } else {
      due.put(task.id(), notBefore);
    }
  }

  /** Call before the row of this change is noted. */
  void check(Observed.TaskChange change) {
    Instant time = due.get(change.task());
    if (beginsToWait(change)) {
      due.remove(change.task()); // For another time, which the row has; it may fire in this look.
    }
    if (time == null || !isFired(change)) {
      return;
    }
    // The clock may step back between the statement that looks and the one that writes.
    Invariants.unless(
        !change.at().plus(world.steppedBack()).isBefore(time),
        Invariant.TIMERS,
        () -> "it waits until " + time + ": " + change);
    var late = Duration.between(time, change.at());
    Invariants.unless(
        !isInCalm(late) || late.compareTo(LATE_MAX) <= 0,
        Invariant.TIMERS,
        () -> "its time came " + late + " before: " + change);
  }

  private static boolean beginsToWait(Observed.TaskChange change) {
    return change.to() == TaskState.PENDING || change.to() == TaskState.DEFERRED;
  }

  /** A person may end a wait, too, by a mark. */
  private static boolean isFired(Observed.TaskChange change) {
    return (change.from() == TaskState.PENDING && change.to() == TaskState.SCHEDULED)
        || (change.from() == TaskState.DEFERRED && change.reason().equals(WAIT_OVER));
  }

  /** Whether its time came long after the last fault. */
  private boolean isInCalm(Duration late) {
    long dueAt = world.scheduler.nanos() - late.toNanos();
    return world.isCalm() && dueAt - world.calmSince() > calmFor.toNanos();
  }
}
