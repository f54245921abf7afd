package dev.belay.store.schedule;

import dev.belay.engine.port.Workflow;
import java.util.List;
import java.util.Set;

/** Why triggers cannot be stored as they are. */
public sealed interface TriggerFault {

  /**
   * A trigger names a calendar that is not declared.
   *
   * @param known the calendars that are
   */
  record NoCalendar(Workflow workflow, String calendar, Set<String> known) implements TriggerFault {
    public NoCalendar {
      known = Set.copyOf(known);
    }
  }

  /** The system file no longer declares a calendar that a stored trigger names. */
  record CalendarInUse(String calendar, Workflow workflow, String trigger)
      implements TriggerFault {}

  /**
   * Workflows would start each other for ever.
   *
   * @param workflows in the order of their starts; the first is also the last
   */
  record Circle(String tenant, List<String> workflows) implements TriggerFault {
    public Circle {
      workflows = List.copyOf(workflows);
    }
  }
}
