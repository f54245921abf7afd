package dev.belay.engine.trigger;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.Hints;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a transaction decided.
 *
 * @param alerts how many it raised
 */
record Written<T>(List<T> decided, int runs, Set<WorkerId> toTell, int alerts) {

  static <T> Written<T> nothing() {
    return new Written<>(List.of(), 0, Set.of(), 0);
  }

  static <T> Written<T> of(List<T> decided, RunStarter starter) {
    return new Written<>(decided, starter.started(), new LinkedHashSet<>(starter.toTell()), 0);
  }

  Written<T> withAlerts(int raised) {
    return new Written<>(decided, runs, toTell, raised);
  }

  static <T> Map<String, Integer> count(List<T> decided, Function<T, Verdict> verdict) {
    Map<String, Integer> counts = new TreeMap<>();
    decided.forEach(one -> counts.merge(verdict.apply(one).outcome(), 1, Integer::sum));
    return counts;
  }

  void tell(Hints hints) {
    toTell.forEach(hints::mailbox);
    if (runs > 0) {
      hints.runChanged();
    }
  }
}
