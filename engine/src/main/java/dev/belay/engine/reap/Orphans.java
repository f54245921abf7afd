package dev.belay.engine.reap;

import dev.belay.domain.id.RunId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.ReapReads.Orphan;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans runs without progress again, and fails them when that has no effect. */
final class Orphans {

  private static final Logger log = LoggerFactory.getLogger(Orphans.class);

  private final ReapReads reads;
  private final ReapWriter writer;
  private final ReapSettings settings;
  private final Meters meters;

  Orphans(ReapReads reads, ReapWriter writer, ReapSettings settings, Meters meters) {
    this.reads = reads;
    this.writer = writer;
    this.settings = settings;
    this.meters = meters;
  }

  int runOnce(Epoch epoch) {
    int treated = 0;
    RunId after = null;
    for (int i = 0; i < settings.batchesMax(); i++) {
      List<Orphan> orphans = reads.readOrphans(after, settings.batch());
      for (Orphan orphan : orphans) {
        treated += treat(epoch, orphan) ? 1 : 0;
      }
      if (orphans.size() < settings.batch()) {
        break;
      }
      after = orphans.getLast().run();
    }
    return treated;
  }

  private boolean treat(Epoch epoch, Orphan orphan) {
    try {
      boolean treated = writer.treatOrphan(epoch, orphan);
      if (treated) {
        log.atWarn()
            .addKeyValue("run", orphan.run())
            .log(orphan.replanned() ? "orphaned run failed" : "orphaned run is planned again");
      }
      return treated;
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      meters.reapFailed(RecoveryKind.ORPHAN_RUN.word(), false);
      log.atWarn().addKeyValue("run", orphan.run()).setCause(failed).log("orphan not treated");
      return false;
    }
  }
}
