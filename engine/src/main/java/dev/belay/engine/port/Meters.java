package dev.belay.engine.port;

import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What is counted and timed while the engine works. Called by any thread; never blocks, throws. */
public interface Meters {

  /** For whoever does not look. */
  Meters NONE =
      new Meters() {
        @Override
        public void ticked(Duration took) {}

        @Override
        public void phaseDone(String phase, Duration took, boolean failed) {}

        @Override
        public void dispatched(List<Duration> waited) {}

        @Override
        public void reaped(String rule, int ended, int left) {}

        @Override
        public void reapFailed(String rule, boolean panic) {}

        @Override
        public void listFailed(String rule) {}

        @Override
        public void alerted(String kind, int alerts) {}

        @Override
        public void happened(Effects effects) {}

        @Override
        public void tooCostly(int failures) {}

        @Override
        public void reported(List<Settlement> settlements, Duration took) {}

        @Override
        public void stale(Map<TaskState, Integer> tasks) {}
      };

  /** The leader did one turn. */
  void ticked(Duration took);

  void phaseDone(String phase, Duration took, boolean failed);

  /**
   * A claim committed.
   *
   * @param waited for each task how long it had been SCHEDULED
   */
  void dispatched(List<Duration> waited);

  /**
   * A rule looked at its candidates, and what it ended is committed.
   *
   * @param rule the word of its kind, or its reason: {@code agent_lost}, {@code dispatch_lost}
   * @param left candidates that it left alone
   */
  void reaped(String rule, int ended, int left);

  /**
   * One candidate, or a batch of them, could not be ended.
   *
   * @param panic it was no refusal of the database but a bug
   */
  void reapFailed(String rule, boolean panic);

  /** The candidates of a rule could not be read. */
  void listFailed(String rule);

  /** Alerts were raised, other than for a recovery that came late. */
  void alerted(String kind, int alerts);

  /** A transaction is committed: the one place where what it did is counted. */
  void happened(Effects effects);

  /** Planning failed tasks or runs because an expression cost too much. */
  void tooCostly(int failures);

  /** A batch of results is written. */
  void reported(List<Settlement> settlements, Duration took);

  /**
   * How many tasks are past the bound of their state now.
   *
   * @param tasks a state that is missing has none; empty when this replica leads no more
   */
  void stale(Map<TaskState, Integer> tasks);
}
