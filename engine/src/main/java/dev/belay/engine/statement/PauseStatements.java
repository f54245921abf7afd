package dev.belay.engine.statement;

import dev.belay.domain.id.TriggerId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pauses and resumes of triggers. A workflow's control row is locked before its triggers.
 *
 * <p>A resumed trigger has {@code replay_from}: the leader decides again what it skipped since
 * then. That is the last instant that was decided before the pause, so instants that were due
 * before it and decided during it count, too.
 */
public interface PauseStatements {

  /** A trigger that a workflow has now. */
  record TriggerName(String tenant, String workflow, String name) {}

  /**
   * @param pausedAt null while it is not paused
   */
  record TriggerControl(TriggerId id, @Nullable Instant pausedAt, @Nullable String pausedBy) {}

  Optional<TriggerControl> findTrigger(TriggerName trigger);

  /** False when it was already paused, or the workflow does not have it. */
  boolean pauseTrigger(TriggerName trigger, String actor);

  /** False when it was not paused, or the workflow does not have it. */
  boolean resumeTrigger(TriggerName trigger);

  /**
   * Has the leader decide again what the timed triggers of a workflow skipped during its pause. A
   * trigger that is paused itself waits for its own resume.
   */
  void replayTriggers(String tenant, String workflow, Instant pausedAt);
}
