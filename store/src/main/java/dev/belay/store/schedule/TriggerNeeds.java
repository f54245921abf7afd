package dev.belay.store.schedule;

import java.util.Set;

/**
 * What the triggers of a workflow need from outside.
 *
 * @param calendars the calendars that they name
 * @param workflows the workflows of the same tenant whose ends they wait for
 */
public record TriggerNeeds(Set<String> calendars, Set<String> workflows) {

  public static final TriggerNeeds NONE = new TriggerNeeds(Set.of(), Set.of());

  public TriggerNeeds {
    calendars = Set.copyOf(calendars);
    workflows = Set.copyOf(workflows);
  }
}
