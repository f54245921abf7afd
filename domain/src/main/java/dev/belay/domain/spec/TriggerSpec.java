package dev.belay.domain.spec;

import dev.belay.domain.run.RunState;
import dev.belay.domain.schedule.Missed;
import dev.belay.domain.schedule.Timing;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What starts runs of a workflow by itself. Its name is its identity in the workflow. */
public sealed interface TriggerSpec {

  String name();

  /** Values for the parameters of its runs: plain values, or {@link Template}s of an event. */
  Map<String, Object> params();

  /** Fires at times. */
  record Timed(String name, Timing timing, Missed missed, Map<String, Object> params)
      implements TriggerSpec {
    public Timed {
      params = Map.copyOf(params);
    }
  }

  /**
   * Fires when a run of another workflow ends.
   *
   * @param on the ends that count
   */
  record AfterWorkflow(String name, String workflow, Set<RunState> on, Map<String, Object> params)
      implements TriggerSpec {
    public AfterWorkflow {
      on = Set.copyOf(on);
      params = Map.copyOf(params);
    }
  }

  /**
   * Fires when an event arrives.
   *
   * @param when a boolean expression over {@code event}; null means every event
   */
  record OnEvent(
      String name, String event, @Nullable Template when, Window window, Map<String, Object> params)
      implements TriggerSpec {
    public OnEvent {
      params = Map.copyOf(params);
    }
  }

  /** How events gather into one run. */
  sealed interface Window {
    /** One run for each event. */
    record None() implements Window {}

    /** One run when no event came for so long, but not later than {@code max} after the first. */
    record Debounce(Duration quiet, Duration max) implements Window {}

    /** One run for up to {@code max} events, or when the oldest has waited for so long. */
    record Batch(int max, Duration oldest) implements Window {}
  }
}
