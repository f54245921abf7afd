package dev.belay.engine.leader;

import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Promoted;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of the leader: plan what changed, admit what is due, dispatch what is eligible, until
 * nothing more is to do. A phase that fails does not skip the next.
 */
public final class Tick {

  private static final Logger log = LoggerFactory.getLogger(Tick.class);
  private static final Duration DUE_MIN = Duration.ofMillis(1);

  private final PlanPhase plan;
  private final DispatchStore dues;
  private final DispatchPhase dispatch;
  private final EngineSettings settings;

  public Tick(PlanPhase plan, DispatchStore dues, DispatchPhase dispatch, EngineSettings settings) {
    this.plan = plan;
    this.dues = dues;
    this.dispatch = dispatch;
    this.settings = settings;
  }

  /**
   * @return how long the leader may sleep if nobody wakes it
   */
  public Duration runOnce(Epoch epoch) {
    for (int round = 0; round < settings.roundsMax(); round++) {
      int planned = phase("plan", 0, () -> plan.runOnce(epoch, settings.marksMax()));
      Promoted promoted =
          phase(
              "promote",
              new Promoted(0, Optional.empty()),
              () -> dues.promoteDue(epoch, settings.duesMax()));
      phase("dispatch", 0, () -> dispatch.runOnce(epoch));
      if (planned < settings.marksMax() && promoted.count() < settings.duesMax()) {
        return sleep(promoted.nextDue());
      }
    }
    return Duration.ZERO;
  }

  private Duration sleep(Optional<Duration> nextDue) {
    Duration due = nextDue.orElse(settings.tick());
    if (due.compareTo(DUE_MIN) < 0) {
      due = DUE_MIN;
    }
    return due.compareTo(settings.tick()) < 0 ? due : settings.tick();
  }

  private static <T> T phase(String name, T whenFailed, Supplier<T> work) {
    try {
      return work.get();
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failed) {
      log.atError()
          .addKeyValue("phase", name)
          .setCause(failed)
          .log("phase failed, the next goes on");
      return whenFailed;
    }
  }
}
