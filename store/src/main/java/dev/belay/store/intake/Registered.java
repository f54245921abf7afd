package dev.belay.store.intake;

import dev.belay.engine.port.Workflow;
import dev.belay.store.schedule.TriggerFault;
import java.util.List;
import java.util.Set;

/** The result of registering a workflow. */
public sealed interface Registered {

  /**
   * @param missing workflows that its triggers wait for, and that do not exist
   */
  record Done(Registration latest, Set<Workflow> missing) implements Registered {
    public Done {
      missing = Set.copyOf(missing);
    }
  }

  /** Its triggers do not fit what is stored; nothing changed. */
  record Refused(List<TriggerFault> faults) implements Registered {
    public Refused {
      faults = List.copyOf(faults);
    }
  }
}
