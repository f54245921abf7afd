package dev.belay.engine.statement;

import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.ChainKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Writes of triggers that wait for the end of a run. {@link PlanStatements#endRuns} adds rows. */
public interface ChainStatements {

  record Decided(ChainKey key, Verdict verdict) {}

  /** Locks those that nobody has decided. */
  Set<ChainKey> lockPending(Collection<ChainKey> keys);

  /** Decides ends that nobody has decided; returns how many. */
  int decide(List<Decided> decided);
}
