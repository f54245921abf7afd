package dev.belay.domain.reap;

import java.time.Duration;
import java.util.Collection;

/** When many workers fall silent at once, the fault is probably on the server's side. */
public final class MassSilence {

  private MassSilence() {}

  /**
   * Counts only recent silence. Workers that were given up long ago prove nothing about now, and a
   * closed connection is not silence.
   */
  public static boolean isLikely(Collection<WorkerSign> workers, ReapSettings settings) {
    ReapSettings.Mass mass = settings.grace().mass();
    Duration silent = settings.liveness().silent();
    int present = 0;
    int mute = 0;
    for (WorkerSign worker : workers) {
      if (worker.isClosed() || worker.silence().compareTo(silent.plus(mass.hold())) >= 0) {
        continue;
      }
      present++;
      if (worker.silence().compareTo(silent.dividedBy(2)) >= 0) {
        mute++;
      }
    }
    return mute >= mass.workersMin() && mute > mass.share() * present;
  }
}
