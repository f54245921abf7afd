package dev.belay.domain.wait;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why a task or run waits. Empty when it does not: a worker holds it, or it is over. */
public final class Waits {

  private static final int NAMES_MAX = 5;

  private Waits() {}

  /** Why a QUEUED run does not start. */
  public static Optional<Wait> ofRun(RunTurn turn, WaitFacts facts) {
    if (turn.state() != RunState.QUEUED) {
      return Optional.empty();
    }
    Instant paused = turn.pausedAt();
    if (paused != null) {
      return Optional.of(
          Wait.of(
              WaitReason.PAUSED,
              "workflow %s is paused (belay resume %s)".formatted(turn.workflow(), turn.workflow()),
              paused));
    }
    Integer max = turn.maxActive();
    if (max != null && turn.running() >= max) {
      return Optional.of(
          Wait.of(
              WaitReason.MAX_ACTIVE,
              "%d of %d runs of %s are RUNNING (max_active)"
                  .formatted(turn.running(), max, turn.workflow()),
              turn.since()));
    }
    return Optional.of(scheduler(facts, turn.since()));
  }

  public static Optional<Wait> ofTask(WaitingTask task, WaitFacts facts) {
    return ofTask(task, facts, null);
  }

  /**
   * @param blockage of a SCHEDULED task; null when it has a worker in a moment, as far as known
   */
  public static Optional<Wait> ofTask(
      WaitingTask task, WaitFacts facts, @Nullable Blockage blockage) {
    return switch (task.state()) {
      case WAITING -> Optional.of(forOthers(task, facts));
      case PENDING -> Optional.of(forItsTime(task, facts));
      case SCHEDULED -> Optional.of(forWorker(task, facts, blockage));
      case APPROVAL_REQUIRED ->
          Optional.of(Wait.of(WaitReason.PERSON, "waits for an approval", task.since()));
      case BLOCKED ->
          Optional.of(
              Wait.of(
                  WaitReason.PERSON,
                  "is parked until a person resumes it (belay unblock)",
                  task.since()));
      case DEFERRED -> Optional.of(deferred(task, facts));
      case DISPATCHED,
          RUNNING,
          SUCCEEDED,
          FAILED,
          TIMEOUT,
          CANCELLED,
          DENIED,
          OUTPUT_QUARANTINED,
          SKIPPED,
          UPSTREAM_FAILED ->
          Optional.empty();
    };
  }

  /**
   * @param unserved nothing that is known could ever run a task of its task queue
   */
  public static Wait ofUnserved(
      WaitingTask task, WaitFacts facts, Unserved unserved, Blockage.Tries tries) {
    Wait before = forWorker(task, facts, null);
    return switch (before.reason()) {
      case RETRY, LEASE_HELD, NO_LEADER -> before;
      default -> Blockages.tried(unserved.reason(), unserved.detail(), tries);
    };
  }

  private static Wait forOthers(WaitingTask task, WaitFacts facts) {
    RunTurn turn = task.turn();
    Optional<Wait> held = turn == null ? Optional.empty() : ofRun(turn, facts);
    if (held.isPresent()) {
      return held.get();
    }
    return task.dependencies().isEmpty()
        ? scheduler(facts, task.since())
        : Wait.of(WaitReason.DEPENDENCIES, "waits for " + named(task.dependencies()), task.since());
  }

  private static Wait forItsTime(WaitingTask task, WaitFacts facts) {
    Instant due = task.notBefore();
    if (!isAhead(due, facts)) {
      return scheduler(facts, task.since());
    }
    return task.tried()
        ? new Wait(WaitReason.RETRY, "will be tried again", task.since(), due)
        : new Wait(WaitReason.TIME, "is delayed", task.since(), due);
  }

  private static Wait deferred(WaitingTask task, WaitFacts facts) {
    Instant due = task.notBefore();
    if (due == null) {
      return Wait.of(WaitReason.EVENT, "waits for an event", task.since());
    }
    return isAhead(due, facts)
        ? new Wait(WaitReason.TIME, "waits for its time and needs no worker", task.since(), due)
        : scheduler(facts, task.since());
  }

  private static Wait forWorker(WaitingTask task, WaitFacts facts, @Nullable Blockage blockage) {
    Instant due = task.notBefore();
    if (isAhead(due, facts)) {
      return new Wait(WaitReason.RETRY, "will be tried again", task.since(), due);
    }
    Instant leaseEndsAt = task.leaseEndsAt();
    if (isAhead(leaseEndsAt, facts)) {
      return new Wait(
          WaitReason.LEASE_HELD,
          "strict: its lost attempt may still run",
          task.since(),
          leaseEndsAt);
    }
    if (!facts.leader().live()) {
      return scheduler(facts, task.since());
    }
    if (blockage != null) {
      return Blockages.wait(blockage, task.since()).orElseGet(() -> scheduler(facts, task.since()));
    }
    return scheduler(facts, task.since());
  }

  /** Nothing blocks it, so it depends on the leader. */
  private static Wait scheduler(WaitFacts facts, Instant since) {
    WaitFacts.Leader leader = facts.leader();
    if (leader.live()) {
      return Wait.of(WaitReason.SCHEDULER, "starts in a moment", since);
    }
    Instant seen = leader.seenAt();
    return Wait.of(
        WaitReason.NO_LEADER,
        leader.name() == null
            ? "no server leads, so nothing is started"
            : "no server leads, so nothing is started; the last leader was " + leader.name(),
        seen == null ? since : seen);
  }

  private static boolean isAhead(@Nullable Instant time, WaitFacts facts) {
    return time != null && time.isAfter(facts.now());
  }

  private static String named(List<String> names) {
    return names.size() <= NAMES_MAX
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMES_MAX))
            + " and "
            + (names.size() - NAMES_MAX)
            + " more";
  }
}
