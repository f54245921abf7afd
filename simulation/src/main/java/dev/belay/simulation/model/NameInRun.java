package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import java.util.Comparator;

/** Identifies a task of a run by name. */
record NameInRun(RunId run, String task) implements Comparable<NameInRun> {

  private static final Comparator<NameInRun> ORDER =
      Comparator.comparing(NameInRun::run).thenComparing(NameInRun::task);

  @Override
  public int compareTo(NameInRun other) {
    return ORDER.compare(this, other);
  }
}
