package dev.belay.domain.reap;

import java.time.Duration;
import java.util.Collection;

/** When many workers fall silent together, the fault is more likely on this side. */
public final class MassSilence {

  private MassSilence() {}

  /**
   * Only workers whose silence is new count, on either side: those that were given up long ago say
   * nothing about now, and one whose connection was closed is not silent.
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
