package dev.belay.store.read;

import dev.belay.domain.run.RunState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Selects runs; null or empty means any. */
public record RunFilter(String tenant, Set<RunState> states, @Nullable String workflow) {

  public RunFilter {
    states = Set.copyOf(states);
  }

  /** Empty unless all are open: an index leads to such runs. */
  Set<RunState> openStates() {
    return states.stream().noneMatch(RunState::isTerminal) ? states : Set.of();
  }

  /** Those that no index serves. */
  Set<RunState> otherStates() {
    return openStates().isEmpty() ? states : Set.of();
  }
}
