package dev.belay.engine.reap;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Link;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.ReapReads.SeenWorker;
import dev.belay.engine.port.ReapReads.Survey;
import java.util.HashSet;
import java.util.Set;

/** Raises alerts for lost workers, with or without tasks. Writes only when a new worker is lost. */
final class LostWorkers {

  private final ReapWriter writer;
  private final ReapSettings settings;
  private Set<WorkerId> told = Set.of();

  LostWorkers(ReapWriter writer, ReapSettings settings) {
    this.writer = writer;
    this.settings = settings;
  }

  /**
   * @param massSilence many workers are silent together
   */
  void runOnce(Epoch epoch, Survey survey, boolean massSilence) {
    Set<WorkerId> lost = new HashSet<>();
    for (SeenWorker worker : survey.workers()) {
      if (isLost(worker.sign(), massSilence)) {
        lost.add(worker.id());
      }
    }
    if (!told.containsAll(lost)) {
      writer.alertLost(epoch, lost);
    }
    told = lost;
  }

  /** Uses the same limits as for the attempts of a worker. */
  private boolean isLost(WorkerSign sign, boolean massSilence) {
    boolean silent = sign.silence().compareTo(settings.liveness().silent()) >= 0;
    return switch (sign.link()) {
      case Link.Closed(var since) -> since.compareTo(settings.liveness().closed()) >= 0;
      case Link.Open _, Link.Left _ -> silent && !massSilence;
    };
  }
}
