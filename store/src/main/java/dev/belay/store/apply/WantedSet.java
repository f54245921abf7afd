package dev.belay.store.apply;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.system.Declarations.OfFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a set of valid files wants to be stored.
 *
 * @param system null leaves the system file as it is
 */
public record WantedSet(List<NewWorkflow> workflows, @Nullable NewSystem system, Prune prune) {

  public WantedSet {
    workflows = List.copyOf(workflows);
  }

  /**
   * What happens to workflows that are not in the set, in tenants that the set has workflows of.
   */
  public enum Prune {
    KEEP,
    PAUSE,
    DELETE
  }

  /**
   * A valid system file.
   *
   * @param spec as JSON; equal meanings have equal text
   * @param declared its pools, topics and tenants
   */
  public record NewSystem(
      String spec, String source, OfFile declared, List<DayCalendar> calendars) {
    public NewSystem {
      calendars = List.copyOf(calendars);
    }
  }
}
