package dev.belay.store.apply;

import dev.belay.engine.port.Workflow;
import dev.belay.store.schedule.TriggerFault;
import dev.belay.store.system.KnownRoutes;
import java.util.List;
import java.util.Set;

/** The result of applying a set. */
public sealed interface Applied {

  /**
   * @param known what tasks may name, with what the set declares
   * @param missing workflows that triggers wait for, and that do not exist
   */
  record Done(Plan plan, KnownRoutes known, Set<Workflow> missing) implements Applied {
    public Done {
      missing = Set.copyOf(missing);
    }
  }

  /** Triggers do not fit what is stored, or each other; nothing was stored. */
  record Refused(List<TriggerFault> faults) implements Applied {
    public Refused {
      faults = List.copyOf(faults);
    }
  }

  /** The plan is not the one that was confirmed; nothing was stored. */
  record Outdated() implements Applied {}
}
