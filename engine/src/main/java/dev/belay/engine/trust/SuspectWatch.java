package dev.belay.engine.trust;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.trust.SetAside;
import dev.belay.domain.trust.SetAside.Others;
import dev.belay.domain.trust.TrustSettings;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.TrustStore;
import dev.belay.engine.port.TrustStore.Look;
import dev.belay.engine.port.TrustStore.Suspect;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets suspects aside that are at fault. The leader looks before each read of the workers. For the
 * leader's thread; any thread may ask for the count.
 */
public final class SuspectWatch {

  private static final Logger log = LoggerFactory.getLogger(SuspectWatch.class);
  private static final int SUSPECTS_MAX = 10;

  /** The comparison with the others reads many rows, and the same answer helps nobody. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final TrustStore store;
  private final TrustSettings settings;
  private final LongSupplier ticker;
  private final FailureLog trouble = new FailureLog(log, "suspects are not looked at");
  private Map<WorkerId, Long> judgedAt = Map.of();
  private volatile int setAside;

  /**
   * @param ticker monotonic nanoseconds
   */
  public SuspectWatch(TrustStore store, TrustSettings settings, LongSupplier ticker) {
    this.store = store;
    this.settings = settings;
    this.ticker = ticker;
  }

  /** How many workers were set aside when this replica last looked. */
  public int setAside() {
    return setAside;
  }

  /** Never keeps tasks from their workers: a failed look is repeated with the next read. */
  public void look(Epoch epoch) {
    if (!settings.isOn()) {
      return;
    }
    try {
      Look look = store.look(SUSPECTS_MAX);
      int more = 0;
      Map<WorkerId, Long> judged = new HashMap<>();
      for (Suspect suspect : look.suspects()) {
        Long before = judgedAt.get(suspect.worker());
        boolean known = before != null && ticker.getAsLong() - before < AGAIN.toNanos();
        judged.put(suspect.worker(), known ? before : Long.valueOf(ticker.getAsLong()));
        more += !known && judge(epoch, suspect) ? 1 : 0;
      }
      judgedAt = judged;
      setAside = look.setAside() + more;
      trouble.over();
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      trouble.met(failed, event -> event.addKeyValue("epoch", epoch.value()));
    }
  }

  private boolean judge(Epoch epoch, Suspect suspect) {
    Others others = store.countOthers(suspect.worker());
    if (!SetAside.isDue(suspect.failures(), others, settings)) {
      return false;
    }
    String reason =
        "%d tasks in a row failed within %d ms of their start"
            .formatted(suspect.failures(), settings.fast().toMillis());
    boolean done = store.setAside(epoch, suspect, reason);
    if (done) {
      log.atWarn()
          .addKeyValue("worker", suspect.worker())
          .addKeyValue("name", suspect.name())
          .addKeyValue("failures", suspect.failures())
          .log("worker set aside");
    }
    return done;
  }
}
