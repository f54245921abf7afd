package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.simulation.Coverage.Kind;
import dev.belay.simulation.Observed.ChainEnd;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what the ends of runs started. */
final class Chainings {

  private static final String PENDING = "pending";
  private static final String LATER = "in a later generation";

  /** What must occur in many seeds. */
  static final Set<String> EXPECTED = Set.of("fired", "fired " + LATER, "skipped on");

  private final Observed observed;
  private final World world;
  private final Set<Key> decided = new HashSet<>();

  private record Key(TriggerId trigger, RunId upstream, int generation) {}

  Chainings(Observed observed, World world) {
    this.observed = observed;
    this.world = world;
  }

  void check() {
    List<String> odd = observed.oddChains();
    Invariants.unless(odd.isEmpty(), Invariant.CHAINED_ONCE, () -> "" + odd);
    for (ChainEnd end : observed.chainEnds()) {
      var key = new Key(end.trigger(), end.upstream(), end.generation());
      if (!end.outcome().equals(PENDING) && decided.add(key)) {
        tell(end);
      }
    }
  }

  private void tell(ChainEnd end) {
    String what = end.reason() == null ? end.outcome() : end.outcome() + " " + end.reason();
    world.coverage.count(Kind.CHAIN, what);
    if (end.generation() > 1) {
      world.coverage.count(Kind.CHAIN, what + " " + LATER);
    }
    world.trace.say("chain", "of an end is decided:", end.upstream(), what);
  }

  /** How many runs it is about. */
  int runs() {
    return observed.chainedRuns().size();
  }
}
