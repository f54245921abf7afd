package dev.belay.simulation.guard;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** The race guards, without those that a sabotage test removed. */
public record Guards(Set<RaceGuard> missing) {

  public static final Guards ALL = new Guards(Set.of());

  public static Guards without(Collection<RaceGuard> guards) {
    return new Guards(guards.isEmpty() ? Set.of() : EnumSet.copyOf(guards));
  }

  /** True when the guard is satisfied, or was removed. */
  public boolean pass(RaceGuard guard, boolean satisfied) {
    return satisfied || missing.contains(guard);
  }

  public boolean has(RaceGuard guard) {
    return !missing.contains(guard);
  }
}
