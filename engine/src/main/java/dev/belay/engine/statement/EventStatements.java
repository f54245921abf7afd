package dev.belay.engine.statement;

import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.EventKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Writes of triggers that wait for events. */
public interface EventStatements {

  record Decided(EventKey key, Verdict verdict) {}

  /** The two outcomes that are not final. */
  enum Open {
    PENDING,
    WAITING
  }

  /** Locks those that are still so. */
  Set<EventKey> lock(Collection<EventKey> keys, Open open);

  /** Decides those that are still so; returns how many. */
  int decide(List<Decided> decided, Open open);
}
