package dev.belay.store.intake;

import dev.belay.store.schedule.TriggerFault;
import java.util.List;

/** The result of a rollback to an earlier version. */
public sealed interface RolledBack {

  /** The latest version now has the content of the earlier one. */
  record Done(Registration latest) implements RolledBack {}

  /** The workflow or this version of it does not exist. */
  record NoVersion() implements RolledBack {}

  /** The triggers of that version do not fit what is stored; nothing changed. */
  record Refused(List<TriggerFault> faults) implements RolledBack {
    public Refused {
      faults = List.copyOf(faults);
    }
  }
}
