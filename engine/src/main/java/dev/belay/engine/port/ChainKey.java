package dev.belay.engine.port;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import java.util.Comparator;

/** The end of a run in one generation, for one trigger. */
public record ChainKey(TriggerId trigger, RunId upstream, int generation)
    implements Comparable<ChainKey> {

  private static final Comparator<ChainKey> ORDER =
      Comparator.comparing(ChainKey::trigger)
          .thenComparing(ChainKey::upstream)
          .thenComparingInt(ChainKey::generation);

  @Override
  public int compareTo(ChainKey other) {
    return ORDER.compare(this, other);
  }
}
