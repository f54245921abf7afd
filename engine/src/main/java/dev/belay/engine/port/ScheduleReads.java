package dev.belay.engine.port;

import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.RunLimits.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads of timed triggers. */
public interface ScheduleReads {

  /** Versions of timed triggers that are due, the longest due first. */
  List<Due> readDue(int max);

  /** When the next timed trigger is due; empty when none waits. */
  Optional<NextDue> readNextDue();

  /**
   * @param in from now on, by the clock of the database
   */
  record NextDue(Instant at, Duration in) {}

  Map<String, DayCalendar> readCalendars();

  /**
   * The instants of this trigger that were skipped since then because of a pause, in order.
   *
   * @param max the newest
   */
  List<Instant> readPaused(TriggerId trigger, Instant since, int max);

  /**
   * A version of a timed trigger that is due.
   *
   * @param spec the trigger as JSON
   * @param next the first instant that is not decided
   * @param until null while it is live
   * @param replayFrom set when it was resumed
   * @param now by the clock of the database
   */
  record Due(
      UUID version,
      TriggerId trigger,
      Workflow workflow,
      String spec,
      @Nullable Instant next,
      @Nullable Instant until,
      boolean paused,
      @Nullable Instant replayFrom,
      State state,
      Instant now) {}

  /**
   * The workflow of a trigger.
   *
   * @param latest its latest version
   * @param maxActive null means no limit
   */
  record State(WorkflowId latest, boolean paused, @Nullable Integer maxActive, Overlap overlap) {}
}
