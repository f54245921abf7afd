package dev.belay.engine.port;

import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts and times the engine's work. Called by any thread; never blocks, never throws. */
public interface Meters {

  /** Drops all measurements. */
  Meters NONE =
      new Meters() {
        @Override
        public void ticked(Duration took) {}

        @Override
        public void phaseDone(String phase, Duration took, boolean failed) {}

        @Override
        public void dispatched(List<Dispatched> tasks) {}

        @Override
        public void reaped(String rule, int ended, int left) {}

        @Override
        public void reapFailed(String rule, boolean panic) {}

        @Override
        public void listFailed(String rule) {}

        @Override
        public void alerted(String kind, int alerts) {}

        @Override
        public void promiseBroken(String promise, int runs) {}

        @Override
        public void happened(Effects effects) {}

        @Override
        public void tooCostly(int failures) {}

        @Override
        public void reported(List<Settlement> settlements, Duration took) {}

        @Override
        public void stale(Map<TaskState, Integer> tasks) {}

        @Override
        public void decided(String outcome, Duration late) {}

        @Override
        public void nextDue(@Nullable Instant due) {}
      };

  void ticked(Duration took);

  void phaseDone(String phase, Duration took, boolean failed);

  /** A claim committed. */
  void dispatched(List<Dispatched> tasks);

  /**
   * A task that was claimed.
   *
   * @param topic null when it only names a pool
   * @param waited how long it had been SCHEDULED
   */
  record Dispatched(@Nullable String topic, Duration waited) {}

  /**
   * A rule examined its candidates, and its endings are committed.
   *
   * @param rule the word of its kind, or its reason: {@code agent_lost}, {@code dispatch_lost}
   * @param left candidates that it left alone
   */
  void reaped(String rule, int ended, int left);

  /**
   * One candidate, or a batch of them, could not be ended.
   *
   * @param panic a bug, not an error of the database
   */
  void reapFailed(String rule, boolean panic);

  /** The candidates of a rule could not be read. */
  void listFailed(String rule);

  /** Alerts were raised, except those for late recoveries. */
  void alerted(String kind, int alerts);

  /**
   * Runs took too long, or were missing.
   *
   * @param promise {@code timeout}, {@code deadline} or {@code expect_by}
   */
  void promiseBroken(String promise, int runs);

  /** A transaction committed. The one place that counts its effects. */
  void happened(Effects effects);

  /** Tasks or runs failed because an expression exceeded its budget. */
  void tooCostly(int failures);

  /** A batch of results was written. */
  void reported(List<Settlement> settlements, Duration took);

  /**
   * How many tasks are past the time limit of their state now.
   *
   * @param tasks a missing state has none; empty when this replica no longer leads
   */
  void stale(Map<TaskState, Integer> tasks);

  /**
   * An instant of a trigger was decided, and its row in the ledger is committed.
   *
   * @param outcome the word in the ledger: {@code fired}, {@code skipped}, {@code coalesced},
   *     {@code checked}
   * @param late how long after it was due
   */
  void decided(String outcome, Duration late);

  /**
   * When the next instant of any trigger is due.
   *
   * @param due null when there is none, or this replica does not lead
   */
  void nextDue(@Nullable Instant due);
}
