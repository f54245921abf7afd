package dev.belay.engine.port;

import java.util.Collection;
import java.util.Set;

/** Reads what workers there are, or ever were. */
public interface KnownWorkers {

  /** Each kind once, also of workers that are away, or were forgotten since. */
  Collection<Kind> kinds();

  /** What decides whether a worker could run a task at all. */
  record Kind(Set<String> pools, Set<String> capabilities) {
    public Kind {
      pools = Set.copyOf(pools);
      capabilities = Set.copyOf(capabilities);
    }
  }
}
