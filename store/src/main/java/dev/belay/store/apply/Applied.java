package dev.belay.store.apply;

import java.util.Set;

/** The result of applying a set. */
public sealed interface Applied {

  /**
   * @param knownPools those that are declared or that a worker serves
   */
  record Done(Plan plan, Set<String> knownPools) implements Applied {
    public Done {
      knownPools = Set.copyOf(knownPools);
    }
  }

  /** The plan is not the one that was confirmed; nothing was stored. */
  record Outdated() implements Applied {}
}
